/* The views of the chat that come with the first message or file: one part, so that the first script names it once. */

export {ComposerAttachments} from './composer-attachments.tsx'
export {ComposerHint} from './composer-hints.tsx'
export {ComposerNotes} from './composer-notes.tsx'
export {ConversationThread} from './conversation-thread.tsx'
export {MissingConversation} from './list/missing-conversation.tsx'
export {PromptMenu} from './prompt-menu.tsx'
export {ShareButton} from './share-button.tsx'
