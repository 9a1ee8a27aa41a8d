import {toFailure} from '#domain/failure.ts'

/**
 * A call that goes on when its view is left, which aborts `signal`: nothing else cuts it. `onFailure` says what the
 * view cannot say any more; what is not there needs no removal.
 */
export async function withUnseenEnd<Result>(
  call: Promise<Result>,
  signal: AbortSignal,
  onFailure: () => void,
): Promise<Result> {
  try {
    return await call
  } catch (error) {
    if (signal.aborted && toFailure(error).status !== 404) onFailure()
    throw error
  }
}
