/** The files of one build, written into the worker by `src/tools/service-worker.mjs`. Paths begin with a slash. */
export type Build = {
  /** Changes with any file. */
  id: string
  /** The script that the page names. A page holds a lock of this name while it is open. */
  entry: string
  /** Scripts and styles of every screen. */
  files: readonly string[]
  /** Messages by language. */
  messages: Readonly<Record<string, readonly string[]>>
}
