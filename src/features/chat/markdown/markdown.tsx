import {createContext, useContext, memo, useMemo, useState} from 'react'
import {formatSeconds} from '#domain/duration-text.ts'
import {ChevronEndIcon} from '#ui/icons.tsx'
import {classNames} from '#ui/class-names.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {TooltipArea} from '#ui/tooltip-area.tsx'
import type {Block} from './block-kinds.ts'
import {blockNodes, FirstHeading} from './block-tokens.tsx'
import {CodeBlock} from './code-block.tsx'
import {Formula} from './formula.tsx'
import {KeptSelection} from './kept-selection.tsx'
import {lexBlock} from './lex-block.ts'
import {LongText} from './long-text.tsx'
import styles from './markdown.module.css'
import {isNote, NoteList, Notes, noteSource, useNotes} from './notes.tsx'
import {createPartCache, type PartCache} from './part-cache.ts'
import {closeTail, repairTail} from './repair-tail.ts'
import {TextMessage} from './shown-images.ts'
import {createBlockReader} from './split-blocks.ts'
import {useThoughtSeconds} from './use-thought-seconds.ts'

type MarkdownProps = {
  text: string
  /** Id of the answer; names its thoughts, whose time is kept. */
  id?: string | undefined
  /** Milliseconds of the thought with which it begins, as its server measured it. */
  thoughtMs?: number | undefined
  /** The text is growing: its tail is repaired and shows the writing mark. */
  growing?: boolean
  /** The text was cut off: open markup is closed. */
  cut?: boolean
}
type Ending = 'growing' | 'cut' | 'whole'

/** Blocks of a group, about one screen: each delta repaints the last group only. */
const groupSize = 12

/**
 * The only renderer for a model's text (security R01): elements, never HTML. Settled blocks keep their elements while
 * the text grows; only the last one is lexed again.
 */
export const Markdown = memo(function Markdown({text, id, thoughtMs, growing = false, cut = false}: MarkdownProps) {
  return (
    <TooltipArea className={styles.prose} data-words>
      <MeasuredThought value={thoughtMs}>
        <TextMessage value={id}>
          <KeptSelection>
            <Blocks text={text} id={id} ending={growing ? 'growing' : cut ? 'cut' : 'whole'} isWriting={growing} />
          </KeptSelection>
        </TextMessage>
      </MeasuredThought>
    </TooltipArea>
  )
})

/** Milliseconds of the first thought. */
const MeasuredThought = createContext<number | undefined>(undefined)

type BlocksProps = {
  text: string
  id?: string | undefined
  ending: Ending
  /** Behind the last word stands the writing mark. */
  isWriting?: boolean
}

/** The blocks of a text and below them its footnotes. */
function Blocks({text, id, ending, isWriting = false}: BlocksProps) {
  const [reader] = useState(createBlockReader)
  const growing = ending === 'growing'
  const split = useMemo(() => reader.read(text, growing), [reader, text, growing])
  const all = [...split.settled, ...split.tail]
  const notes = all.filter(isNote)
  const isEndNote = all.length > 0 && all.at(-1) === notes.at(-1)
  const lastEnding = growing && split.tail.length === 0 ? 'whole' : ending
  return (
    <Notes value={useNotes(notes, growing)}>
      <TextBlocks
        definitions={split.definitions}
        firstHeading={split.firstHeading}
        blocks={notes.length === 0 ? all : all.filter((block) => !isNote(block))}
        id={id}
        growing={growing}
        ending={isEndNote ? 'whole' : lastEnding}
        isWriting={isWriting && !isEndNote}
      />
      {notes.length > 0 && (
        <NoteList
          notes={notes}
          text={text}
          content={(note, index) => {
            const isEnd = isEndNote && index === notes.length - 1
            const state = {ending: isEnd ? lastEnding : 'whole', isWriting: isWriting && isEnd} as const
            return <NoteText text={note.text} definitions={split.definitions} {...state} />
          }}
        />
      )}
    </Notes>
  )
}

/** A footnote. `definitions`: those of the text that it belongs to, beside its own. */
function NoteText({text, definitions, ending, isWriting}: BlocksProps & {definitions: string}) {
  const [reader] = useState(createBlockReader)
  const growing = ending === 'growing'
  const {settled, tail, ...own} = useMemo(() => reader.read(text.trim(), growing), [reader, text, growing])
  return (
    <TextBlocks
      definitions={own.definitions + definitions}
      firstHeading={own.firstHeading}
      {...{growing, ending, isWriting}}
      blocks={[...settled, ...tail]}
    />
  )
}

type TextBlocksProps = Omit<BlocksProps, 'text'> & {
  blocks: readonly Block[]
  definitions: string
  firstHeading: number | undefined
  growing: boolean
}

function TextBlocks({blocks, definitions, firstHeading, growing, id, ending, isWriting = false}: TextBlocksProps) {
  const [parts] = useState(createPartCache)
  if (!growing) parts.clear()
  const groups = Array.from({length: Math.ceil(blocks.length / groupSize)}, (_, index) =>
    blocks.slice(index * groupSize, (index + 1) * groupSize),
  )
  return (
    <FirstHeading value={firstHeading ?? 1}>
      {groups.map((group, index) => (
        <BlockGroup
          key={index}
          blocks={group}
          from={index * groupSize}
          id={id}
          definitions={definitions}
          ending={index < groups.length - 1 ? 'whole' : ending}
          isWriting={isWriting && index === groups.length - 1}
          parts={parts}
        />
      ))}
    </FirstHeading>
  )
}

type BlockGroupProps = {
  blocks: readonly Block[]
  /** Number of the first of them in the text. */
  from: number
  id: string | undefined
  definitions: string
  /** How the last of them ends. */
  ending: Ending
  isWriting: boolean
  parts: PartCache
}

/**
 * Blocks that are looked at together: while a long text grows, neither React nor the browser goes through those that
 * stand. The first have no element of their own, since most texts have no others.
 */
const BlockGroup = memo(
  function BlockGroup({blocks, from, ending, isWriting, ...rest}: BlockGroupProps) {
    const views = blocks.map((block, index) =>
      blockView(block, {
        ...rest,
        number: from + index,
        ending: index < blocks.length - 1 ? 'whole' : ending,
        isWriting: isWriting && index === blocks.length - 1,
      }),
    )
    return from === 0 ? views : <div className={styles.group}>{views}</div>
  },
  (before, after) =>
    before.ending === after.ending &&
    before.isWriting === after.isWriting &&
    before.id === after.id &&
    before.definitions === after.definitions &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, index) => block === after.blocks[index]),
)

type BlockOptions = Omit<BlockGroupProps, 'blocks' | 'from'> & {
  /** Number of the block in the text. */
  number: number
}

const shownMarkdown: Record<Ending, (raw: string) => string> = {
  growing: (raw) => shownTail(raw),
  cut: closeTail,
  whole: (raw) => raw,
}

/** A function and no component, of which React would keep four records for each block. */
function blockView(block: Block, {number, id, definitions, ending, isWriting, parts}: BlockOptions) {
  const growing = ending === 'growing'
  switch (block.kind) {
    case 'markdown':
      return (
        <MarkdownBlock
          key={number}
          raw={shownMarkdown[ending](block.raw)}
          definitions={block.raw.includes('[') ? definitions : ''}
          isWriting={isWriting}
          parts={growing ? parts : undefined}
        />
      )
    case 'code':
      return <CodeBlock key={number} info={block.info} code={block.code} closed={block.closed || !growing} />
    case 'math':
      if (block.closed || !growing) return <Formula key={number} tex={block.tex.trim()} display />
      return null
    case 'thought':
      return (
        <Thought
          key={number}
          text={block.text}
          isFirst={number === 0}
          id={id === undefined ? undefined : `${id}/${number}`}
          ending={block.closed ? 'whole' : ending}
        />
      )
    case 'note':
      // in the text of another one, where it is no note
      return (
        <MarkdownBlock key={number} raw={noteSource(block)} definitions="" isWriting={isWriting} parts={undefined} />
      )
  }
}

/** Longer tails (in characters) grow on screen in steps of three percent, each at a line end. */
const steppedFrom = 12_000

function shownTail(raw: string): string {
  if (raw.length <= steppedFrom) return repairTail(raw)
  const step = Math.floor(Math.log(raw.length / steppedFrom) / Math.log(1.03))
  const end = raw.lastIndexOf('\n', Math.floor(steppedFrom * 1.03 ** step))
  return end === -1 ? raw : repairTail(raw.slice(0, end + 1))
}

type MarkdownBlockProps = {
  raw: string
  definitions: string
  isWriting: boolean
  /** The parts of a block that grows. */
  parts: PartCache | undefined
}

/** Keeps no tokens: each is a record beside the elements made of it. */
const MarkdownBlock = memo(function MarkdownBlock({raw, definitions, isWriting, parts}: MarkdownBlockProps) {
  const tokens = lexBlock(raw, definitions)
  if (tokens === undefined) {
    return (
      <p dir="auto" className={classNames(styles.source, isWriting && styles.writing)}>
        <LongText text={raw.trimEnd()} />
      </p>
    )
  }
  const nodes = () => blockNodes(tokens, {definitions, isWriting, parts})
  return parts === undefined ? nodes() : parts.read(definitions, nodes)
})

/** A thought of at most so many characters has just begun. */
const newThought = 400

type ThoughtProps = {text: string; isFirst: boolean; id: string | undefined; ending: Ending}

/** The thoughts of a reasoning model, with their time: a muted quotation that opens on demand, also while it grows. */
const Thought = memo(function Thought({text: thought, isFirst, id, ending}: ThoughtProps) {
  const text = useText()
  const {locale} = useLanguage()
  const growing = ending === 'growing'
  const [open, setOpen] = useState(false)
  const measuredSeconds = useContext(MeasuredThought)
  const seenSeconds = useThoughtSeconds(id, growing, thought.length <= newThought)
  const seconds =
    seenSeconds ?? (isFirst && !growing && measuredSeconds !== undefined ? measuredSeconds / 1_000 : undefined)
  if (thought.trim() === '' && !growing) return null
  const time = seconds === undefined || seconds < 1 ? undefined : formatSeconds(Math.floor(seconds), locale)
  return (
    <details className={styles.thought} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.thoughtHead}>
        <ChevronEndIcon size={14} className={styles.thoughtMark} />
        {time === undefined
          ? text(growing ? 'chat.thinking' : 'chat.thoughts')
          : text(growing ? 'chat.thinkingFor' : 'chat.thoughtsFor', {time})}
      </summary>
      {open && (
        <div className={styles.thoughtText}>
          <Blocks text={thought.trim()} ending={ending} />
        </div>
      )}
    </details>
  )
})
