declare module 'virtual:media-worker' {
  /** Address of the built `media-worker.ts` (src/tools/media-worker.mjs). */
  const address: string
  export default address
}
