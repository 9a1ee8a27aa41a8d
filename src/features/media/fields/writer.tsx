import {useState} from 'react'
import type {AnyField, AnyForm} from '../any-tool.ts'
import {useMedia} from '../media.context.ts'
import {writeText} from '../write-text.ts'
import {textOf} from './field-props.ts'
import {WriteButton} from './write-button.tsx'

export type WriterProps = {field: Extract<AnyField, {kind: 'prompt' | 'lyrics'}>; form: AnyForm}
type Rewriting = {before: string; after: string}

/** The button of a field whose tool can write its text: what it wrote goes into the form and can be taken back. */
export function Writer({field: {key, write}, form}: WriterProps) {
  const media = useMedia()
  const {generation} = media.actors
  const [last, setLast] = useState<Rewriting>()
  if (write === undefined) return null
  const change = (value: string) => generation.send({type: 'field.change', field: key, value})
  // what was changed by hand since is not taken back
  const canUndo = last !== undefined && last.after === form[key]
  return (
    <WriteButton
      onWrite={async (idea) => {
        const {text = ''} = await writeText(media, write(idea, generation.getSnapshot().context.form))
        setLast({before: textOf(generation.getSnapshot().context.form[key]), after: text})
        change(text)
      }}
      onUndo={canUndo ? () => change(last.before) : undefined}
    />
  )
}
