import {createContext, useContext, useId, useMemo, useState, type MouseEvent, type ReactNode} from 'react'
import type {Block} from './block-kinds.ts'
import {directionOf} from './direction.ts'
import styles from './notes.module.css'

export type Note = Extract<Block, {kind: 'note'}>
export const isNote = (block: Block): block is Note => block.kind === 'note'

export const noteSource = ({label, text}: Note) => `[^${label}]: ${text.trim()}`

type NotesOfText = {
  /** Begins the ids of this text's notes. */
  prefix: string
  /** Labels of the notes that are there, in their order. */
  labels: readonly string[]
  /** Others may still come. */
  growing: boolean
  /** Id of the reference from which a label's note was last opened. */
  sources: Map<string, string>
}

export const Notes = createContext<NotesOfText>({prefix: '', labels: [], growing: false, sources: new Map()})

/** The same value for its references until a note comes or the text ends. */
export function useNotes(notes: readonly Note[], growing: boolean): NotesOfText {
  const prefix = useId()
  const [sources] = useState(() => new Map<string, string>())
  const names = notes.map(({label}) => label).join(' ')
  return useMemo(
    () => ({prefix, labels: names === '' ? [] : names.split(' '), growing, sources}),
    [prefix, names, growing, sources],
  )
}

/** Puts the focus there without a change of the address, whose hash names a message. */
function go(event: MouseEvent, target: HTMLElement | null | undefined): void {
  event.preventDefault()
  target?.focus()
}

/** A reference that may get its note while its text grows. A longer label is mostly a class of a pattern: `[^abc]`. */
const likelyLabel = /^\d{1,3}$/

/** `[^1]`: a raised link to its note, as written where there is none. */
export function NoteReference({label, raw}: {label: string; raw: string}) {
  const {prefix, labels, growing, sources} = useContext(Notes)
  const id = useId()
  const index = labels.indexOf(label)
  if (index === -1) return growing && likelyLabel.test(label) ? <sup className={styles.mark}>{label}</sup> : raw
  const note = `${prefix}${index}`
  return (
    <sup className={styles.mark}>
      <a
        id={id}
        role="doc-noteref"
        className={styles.link}
        href={`#${note}`}
        data-note={note}
        onClick={(event) => {
          sources.set(label, id)
          go(event, document.getElementById(note))
        }}
      >
        {label}
      </a>
    </sup>
  )
}

/** The label of a note leads back to the reference from which it was opened, or to the first one. */
function NoteLabel({label, index}: {label: string; index: number}) {
  const {prefix, sources} = useContext(Notes)
  const note = `${prefix}${index}`
  const back = () =>
    document.getElementById(sources.get(label) ?? '') ??
    [...document.querySelectorAll<HTMLElement>('[data-note]')].find(({dataset}) => dataset.note === note)
  return (
    <a id={note} role="doc-backlink" className={styles.link} href={`#${note}`} onClick={(event) => go(event, back())}>
      {label}
    </a>
  )
}

type NoteListProps = {
  notes: readonly Note[]
  /** The text, whose references lead to them. */
  text: string
  content: (note: Note, index: number) => ReactNode
}

/** The notes below their text. One without a reference, and a second one of a label, have no way back. */
export function NoteList({notes, text, content}: NoteListProps) {
  const {labels} = useContext(Notes)
  return (
    <section role="doc-endnotes" className={styles.notes}>
      {notes.map((note, index) => {
        const mark = `[^${note.label}]`
        const isReferenced = labels.indexOf(note.label) === index && text.split(mark, 3).length === 3
        return (
          <div key={index} className={styles.note} dir={directionOf(note.text)}>
            <span className={styles.label}>
              {isReferenced ? <NoteLabel label={note.label} index={index} /> : note.label}
            </span>
            <div className={styles.text}>{content(note, index)}</div>
          </div>
        )
      })}
    </section>
  )
}
