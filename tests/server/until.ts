/** Lets other tasks of the process run until `isTrue`; the test's own timeout ends a wait in vain. */
export const until = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await new Promise((resolve) => setImmediate(resolve))
}
