/** The message whose editor is open: where it stood last, and the names of its draft there. */
export type EditedPosition = {index: number; keys: readonly string[]}

/** `isDrafted`: it has just come, and words wait under one of the names of its draft. */
type SeenMessage = {keys: readonly string[]; isQuestion: boolean; isDrafted: boolean}

/** The messages of the thread are others, or have other names. */
export type MessagesChanged = {type: 'messages.changed'; messages: readonly SeenMessage[]}

export type MessageEditingEvent =
  | MessagesChanged
  | ({type: 'editor.open'} & EditedPosition)
  /** Sent, saved or cancelled; or the notice of a message that is not shown is dismissed. */
  | {type: 'editor.close'}

/** `conversation`: its key, part of the name of a message that no server has named. */
export type MessageEditingInput = {conversation: string}

export type MessageEditingContext = MessageEditingInput & {
  edited?: EditedPosition | undefined
  /** Name of the draft when the editor was opened: the same editor goes on when its message gets another. */
  editor?: string | undefined
  /** Names of all messages that were shown last. */
  seen: readonly string[]
}
