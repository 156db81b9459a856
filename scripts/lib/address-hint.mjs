// How a browser on another machine reaches a server on this one.
import {existsSync} from 'node:fs';
import {hostname} from 'node:os';
import {isRemoteTerminal} from './preflight.mjs';

/** Returns one sentence; null if this machine seems to have the browser. */
export function addressHint(port, env = process.env, isInContainer = inContainer(), host = hostname()) {
  if (isRemoteTerminal(env) && env.TERM_PROGRAM === 'vscode') {
    return 'This VS Code window forwards the port: Ctrl+click the link.';
  }
  if (!env.SSH_CONNECTION && !env.SLURM_JOB_ID) {
    return isInContainer
      ? 'A browser outside this container reaches it only if the container has the network of its host ("docker run --network host").'
      : null;
  }
  // Nodes of a cluster are usually reached by way of the one that took the job.
  const jump = env.SLURM_JOB_ID && env.SLURM_SUBMIT_HOST ? `-J ${env.SLURM_SUBMIT_HOST} ` : '';
  const here = `${env.USER ? `${env.USER}@` : ''}${host}`;
  return `If your browser is on another machine, run this there first: ssh ${jump}-L ${port}:127.0.0.1:${port} ${here}`;
}

function inContainer() {
  return ['/.dockerenv', '/run/.containerenv'].some(path => existsSync(path));
}
