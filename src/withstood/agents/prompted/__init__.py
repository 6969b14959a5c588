"""Agents with a model behind them: brief, prompt file, model, typed answer."""
