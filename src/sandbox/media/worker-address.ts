/**
 * Address of the built `media-worker.ts`. This text is never run: `src/tools/worker-threads.mjs` replaces it by the
 * address at which a build, the development server or a test run really has it.
 */
export const workerAddress = new URL('media-worker.js', import.meta.url).href
