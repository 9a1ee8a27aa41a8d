/* An open thread needs these parts beyond its views: loaded with it, or named by it alone. */

export {AnswerDetails} from './answer-details.tsx'
export {InstructionsDialog} from './instructions-dialog.tsx'
export {openDraftFiles} from './open-draft-files.ts'
export {openChanges} from './message-changes.ts'
export {startPrompts} from './start-prompts.ts'
export {startVoice} from './voice.ts'

export const loadWhatHappened = async () => (await import('../flow/what-happened.tsx')).AnswerFlow
export const loadShareDialog = async () => (await import('../share/share-dialog.tsx')).ShareDialog
