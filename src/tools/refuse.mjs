/** Exit code of a start that was refused for a reason a user has to mend (sysexits: EX_CONFIG). Not restarted. */
export const refusedExitCode = 78
/** A start that may succeed later (EX_TEMPFAIL): it has said why. */
export const passingExitCode = 75

/**
 * Ends the process with one sentence that says what is wrong and what to do.
 * @param {string} sentence
 * @returns {never}
 */
export function refuse(sentence) {
  process.stderr.write(`\natrium: ${sentence}\n`)
  process.exit(refusedExitCode)
}

/**
 * @param {unknown} error
 * @param {string} path
 */
export function explainFileError(error, path) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOSPC':
      return `The disk is full: ${path} could not be written. Free some space and try again.`
    case 'EROFS':
      return `${path} is on a read-only disk. Move the project to a writable one, or make this one writable.`
    case 'EACCES':
    case 'EPERM':
      return `${path} is not writable for this user. Change its owner or permissions and try again.`
    default:
      return `${path} could not be written: ${error instanceof Error ? error.message : String(error)}`
  }
}
