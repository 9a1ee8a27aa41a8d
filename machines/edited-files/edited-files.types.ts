/** Whether the files of the message are others than those that were sent, or are on their way. */
export type FilesSeen = {type: 'files.seen'; isChanged: boolean}

export type EditedFilesEvent =
  | FilesSeen
  /** The editor came on screen, or went. `hasWords`: words are left in it. */
  | {type: 'editor.entered'}
  | {type: 'editor.left'; hasWords: boolean}
