"""What stands around a cause in stories that are not of Python: other files and commits, none of which is at fault."""

from __future__ import annotations

from tests.stories.story import Story

NODE = {
    "README.md": "# web\n\n`npm test` before every push.\n",
    "package.json": """\
{
  "name": "web",
  "version": "3.4.0",
  "dependencies": {
    "express": "4.19.2",
    "pino": "9.1.0"
  }
}
""",
    "src/lib/format.ts": """\
export function money(cents: number, currency: string): string {
  // TODO: other currencies have no cents
  return `${(cents / 100).toFixed(2)} ${currency}`;
}

export function shorten(text: string, most = 80): string {
  return text.length <= most ? text : text.slice(0, most - 1) + '…';
}
""",
    "src/lib/retry.ts": """\
import { log } from './log';

export async function retry<T>(call: () => Promise<T>, times = 3): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      log.warn({ attempt, error }, 'attempt failed');
      if (attempt >= times) throw error;
      await new Promise((done) => setTimeout(done, 200 * 2 ** attempt));
    }
  }
}
""",
    "src/lib/log.ts": """\
import pino from 'pino';

export const log = pino({ level: process.env.LOG_LEVEL ?? 'info' });
""",
    "src/lib/flags.ts": "export const flags: Record<string, boolean> = { darkMode: false, newSearch: true };\n",
    "src/banner.ts": """\
// An old part. Nobody likes it.
export async function banner(url: string): Promise<string> {
  try {
    const answer = await fetch(url);
    return await answer.text();
  } catch {
    return '';
  }
}
""",
}

GO = {
    "README.md": "# service\n\nRun `go test ./...` before every push.\n",
    "go.mod": "module example.test/service\n\ngo 1.22\n\nrequire github.com/lib/pq v1.10.9\n",
    "internal/health/health.go": """\
package health

import "net/http"

// Handler answers the probe of the cluster.
func Handler(w http.ResponseWriter, r *http.Request) {
	_, _ = w.Write([]byte("ok"))
}
""",
    "internal/backoff/backoff.go": """\
package backoff

import (
	"log"
	"time"
)

// Do tries a call a few times, with a growing pause.
func Do(times int, call func() error) error {
	var err error
	for attempt := 0; attempt < times; attempt++ {
		if err = call(); err == nil {
			return nil
		}
		log.Printf("backoff: attempt %d failed: %v", attempt+1, err)
		time.Sleep(200 * time.Millisecond << attempt)
	}
	return err
}
""",
    "internal/flags/flags.go": """\
package flags

// On holds what is being tried out.
var On = map[string]bool{"compact": false, "fast-search": true}
""",
}

JAVA = {
    "README.md": "# service\n\n`./gradlew test` before every push.\n",
    "build.gradle": """\
plugins { id 'java' }

dependencies {
    implementation 'org.slf4j:slf4j-api:2.0.13'
    implementation 'com.fasterxml.jackson.core:jackson-databind:2.17.1'
}
""",
    "src/main/java/desk/util/Texts.java": """\
package desk.util;

public final class Texts {
    private Texts() {
    }

    // FIXME: null is shown as an empty text, is that right?
    public static String shown(String text) {
        return text == null ? "" : text.trim();
    }
}
""",
    "src/main/java/desk/util/Flags.java": """\
package desk.util;

import java.util.Map;

public final class Flags {
    public static final Map<String, Boolean> ON = Map.of("newHeader", false, "fastSearch", true);

    private Flags() {
    }
}
""",
    "src/main/java/desk/news/NewsClient.java": """\
package desk.news;

import java.util.List;

public class NewsClient {
    public List<String> latest() {
        try {
            return fetch();
        } catch (java.io.IOException fault) {
            System.err.println("news: " + fault.getMessage());
            return List.of();
        }
    }

    private List<String> fetch() throws java.io.IOException {
        return List.of("welcome");
    }
}
""",
}

FLAGS = {
    "node": ("src/lib/flags.ts", "darkMode: false", "darkMode: true"),
    "go": ("internal/flags/flags.go", '"compact": false', '"compact": true'),
    "java": ("src/main/java/desk/util/Flags.java", '"newHeader", false', '"newHeader", true'),
}
FILES = {"node": NODE, "go": GO, "java": JAVA}


def settle(story: Story, language: str, *, day: float = -90) -> None:
    """The first commit: files that every service in this language has."""
    story.commit("Set up the service", FILES[language], day=day)


def tidy_up(story: Story, language: str, *, day: float = -0.4) -> None:
    """Two harmless commits, the first of them a switch."""
    flags, off, on = FLAGS[language]
    story.edit("Switch on for everybody what was tried out", flags, (off, on), day=day)
    story.edit("README: wording", "README.md", ("before every push", "before you push"), day=day + 0.05)
