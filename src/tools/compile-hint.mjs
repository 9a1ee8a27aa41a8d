/** The first comment of a file by which a browser compiles all of its functions while it comes, on another thread. */
export const compileHint = '//# allFunctionsCalledOnLoad'

/**
 * Marks the first screen's script. Without it a function is compiled at its first call, on the thread of the page
 * (docs/decisions/0132-compiled-while-it-loads.md).
 * @returns {import('vite').Plugin}
 */
export const compileHintPlugin = () => ({
  name: 'atrium-compile-hint',
  apply: 'build',
  generateBundle: {
    // the hint counts above all code, and Vite writes its list of files there; the hash in the file's name is that
    // without the hint, so another hint needs another script to get another name
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.name === 'app') file.code = `${compileHint}\n${file.code}`
      }
    },
  },
})
