import type {OfferedModel} from './model-catalogue.ts'

/** The name of the file that a long text becomes, if the message has no other. */
export const pastedTextName = 'pasted-text.txt'

/**
 * Longer than three screens of a phone, or than half a screen of code: as a file it does not push the conversation
 * away, and can be removed as one. A model that takes no files gets it as a part of the question.
 */
const isLongPaste = (text: string) => text.length > 8_000 || text.split('\n', 102).length > 100

/** Whether what is pasted becomes attachments, one file of text, or (undefined) text of the message. */
export function pastedAs(
  {files, types}: Pick<DataTransfer, 'files' | 'types'>,
  pastedText: string,
  model: OfferedModel | undefined,
): 'files' | 'textFile' | undefined {
  const takes = model?.takesFiles === true || model?.takesImages === true
  // cells and words of an office program come with an image of themselves
  const isFormatted = /text\/(html|rtf)/.test(types.join())
  if (files.length > 0 && (pastedText.trim() === '' || (takes && !isFormatted))) return 'files'
  return isLongPaste(pastedText) ? 'textFile' : undefined
}
