/* What an open thread needs beyond its views: loaded with it. */

export {startVoice} from './voice.ts'
export {openChanges} from './message-changes.ts'
