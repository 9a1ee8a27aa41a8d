/* What an open thread needs beyond its views: loaded with it. */

export {AnswerDetails} from './answer-details.tsx'
export {InstructionsDialog} from './instructions-dialog.tsx'
export {startVoice} from './voice.ts'
export {openChanges} from './message-changes.ts'
