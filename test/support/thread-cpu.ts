/** The processor's time of this thread so far, ms: unlike the clock it does not go on while others have the core. */
export function threadCpuMs(): number {
  const {user, system} = process.threadCpuUsage();
  return (user + system) / 1000;
}
