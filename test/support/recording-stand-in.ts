import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

/**
 * Writes a script that stands in for one that is recorded: it leaves a trace in the run's folder and reports it, as the
 * recorder does in a process with steps. It writes its working folder to `cwd.txt`, and ends with the status in its
 * argument.
 */
export function writeRecordingStandIn(folder: string): string {
  const path = join(folder, 'record.py');
  writeFileSync(path, text);
  return path;
}

const text = `import json, os, sys
config = json.loads(os.environ["GPULENS_CONFIG"])
path = os.path.join(config["out"], "steps.pt.trace.json")
open(path, "w").write("{}")
event = {"v": 1, "event": "trace", "pid": 1, "host": "", "rank": None, "world": None}
event.update({"path": path, "kind": "steps", "what": "train", "why": "complete", "steps": 3})
open(config["events"], "a").write(json.dumps(event) + "\\n")
open("cwd.txt", "w").write(os.getcwd())
sys.exit(int(sys.argv[1]))
`;
