"""Who answers: a model by way of a prompt file, or a program. Both fill the same seat."""
