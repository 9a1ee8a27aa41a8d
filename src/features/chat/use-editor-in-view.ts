import {useEffect, type RefObject} from 'react'

/** A focused editor stays in view where its thread becomes lower: a keyboard opens, or a phone is turned. */
export function useEditorInView(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const editor = field.current
    const thread = editor?.closest('[role="log"]')
    if (!editor || !thread) return
    const resizes = new ResizeObserver(() => {
      if (document.activeElement !== editor) return
      // where there is no room for all of it, the text goes before the buttons
      for (const part of [editor.form, editor]) part?.scrollIntoView({block: 'nearest'})
    })
    resizes.observe(thread)
    return () => resizes.disconnect()
  }, [field])
}
