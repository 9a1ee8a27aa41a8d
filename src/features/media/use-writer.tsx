import {useState, type ReactNode} from 'react'
import type {AnyField, AnyForm} from './any-tool.ts'
import {textOf} from './fields/field-props.ts'
import {WriteButton} from './fields/write-button.tsx'
import {useMedia} from './media.context.tsx'
import {writeText} from './write-text.ts'

type Written = {field: string; before: string; after: string}

/** The button of a field whose tool can write its text: what it wrote goes into the form and can be taken back. */
export function useWriter(form: AnyForm): (field: Extract<AnyField, {kind: 'prompt' | 'lyrics'}>) => ReactNode {
  const media = useMedia()
  const {generation} = media.actors
  const [last, setLast] = useState<Written>()
  return (field) => {
    const {key, write} = field
    if (write === undefined) return undefined
    const change = (value: string) => generation.send({type: 'field.change', field: key, value})
    // what was changed by hand since is not taken back
    const canUndo = last?.field === key && last.after === form[key]
    return (
      <WriteButton
        onWrite={async (idea) => {
          const {text = ''} = await writeText(media, write(idea, form))
          setLast({field: key, before: textOf(generation.getSnapshot().context.form[key]), after: text})
          change(text)
        }}
        onUndo={canUndo ? () => change(last.before) : undefined}
      />
    )
  }
}
