import type {DragEvent} from 'react'

/** Whether files of this computer are dragged, and not a piece of the page. */
export const hasFiles = ({dataTransfer}: DragEvent) => dataTransfer.types.includes('Files')

/** Files that nothing below takes: the browser would open them instead of the page, with all that was written. */
export function refuseFiles(event: DragEvent) {
  if (event.defaultPrevented || !hasFiles(event)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
