import type {SubmissionContext} from './submission.types.ts'

/** Tells the owner a fact that needs no more than the key. */
export const fact = <Type extends 'submission.changed' | 'submission.lost' | 'submission.ended'>(type: Type) => ({
  type: 'tell' as const,
  params: ({context}: {context: SubmissionContext}) => ({type, key: context.intent.key}),
})
export const changed = fact('submission.changed')
