import type {ErrorKind} from '#domain/error-kinds.ts'

/** How fast an answer is written, in words a second. */
export const usualPace = 60
export const slowPace = 3
export const streamPace = 200

/** An answer before it is written: its text, its pace, and how it ends when not well. */
export type Reply = {
  text: string
  wordsPerSecond: number
  failure?: {code: ErrorKind | 'forbidden'; detail: string; interrupted: boolean}
}

/** First line of every answer of the sandbox (it must never be taken for a model's). */
export const sandboxLine = '**Sandbox provider: no language model was used for this answer.**'

export const reply = (body: string, wordsPerSecond = usualPace): Reply => ({
  text: `${sandboxLine}\n\n${body}`.trimEnd(),
  wordsPerSecond,
})

/** A failure before the first word. */
export const refusal = (code: ErrorKind | 'forbidden', detail: string): Reply => ({
  text: '',
  wordsPerSecond: usualPace,
  failure: {code, detail, interrupted: false},
})
