import {createContext, useContext, memo, useMemo, useState} from 'react'
import {formatSeconds} from '#domain/seconds.ts'
import {ChevronEndIcon} from '#ui/icons.tsx'
import {classNames} from '#ui/class-names.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {blockNodes, FirstHeading} from './block-tokens.tsx'
import {CodeBlock} from './code-block.tsx'
import {Formula} from './formula.tsx'
import {lexBlock} from './lex-block.ts'
import {LongText} from './long-text.tsx'
import styles from './markdown.module.css'
import {closeTail, repairTail} from './repair-tail.ts'
import {createBlockReader, firstHeadingDepth, type Block} from './split-blocks.ts'
import {useThoughtSeconds} from './use-thought-seconds.ts'

type MarkdownProps = {
  text: string
  /** Of the answer; names its thoughts, whose time is kept. */
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
    <div className={styles.prose} data-words>
      <MeasuredThought value={thoughtMs}>
        <Blocks text={text} id={id} ending={growing ? 'growing' : cut ? 'cut' : 'whole'} isWriting={growing} />
      </MeasuredThought>
    </div>
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

function Blocks({text, id, ending, isWriting = false}: BlocksProps) {
  const [reader] = useState(createBlockReader)
  const growing = ending === 'growing'
  const {settled, tail, definitions} = useMemo(() => reader.read(text, growing), [reader, text, growing])
  const blocks = [...settled, ...tail]
  const lastEnding = growing && tail.length === 0 ? 'whole' : ending
  const groups = Array.from({length: Math.ceil(blocks.length / groupSize)}, (_, index) =>
    blocks.slice(index * groupSize, (index + 1) * groupSize),
  )
  return (
    <FirstHeading value={firstHeadingDepth(blocks)}>
      {groups.map((group, index) => (
        <BlockGroup
          key={index}
          blocks={group}
          from={index * groupSize}
          id={id}
          definitions={definitions}
          ending={index < groups.length - 1 ? 'whole' : lastEnding}
          isWriting={isWriting && index === groups.length - 1}
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
  /** Of the last of them. */
  ending: Ending
  isWriting: boolean
}

/**
 * Blocks that are looked at together: while a long text grows, neither React nor the browser goes through those that
 * stand. The first have no element of their own, since most texts have no others.
 */
const BlockGroup = memo(
  function BlockGroup({blocks, from, id, definitions, ending, isWriting}: BlockGroupProps) {
    const views = blocks.map((block, index) => (
      <BlockView
        key={index}
        block={block}
        isFirst={from + index === 0}
        id={block.kind === 'thought' && id !== undefined ? `${id}/${from + index}` : undefined}
        definitions={definitions}
        ending={index < blocks.length - 1 ? 'whole' : ending}
        isWriting={isWriting && index === blocks.length - 1}
      />
    ))
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

type BlockViewProps = {
  block: Block
  isFirst: boolean
  id: string | undefined
  definitions: string
  ending: Ending
  isWriting: boolean
}

const shownMarkdown: Record<Ending, (raw: string) => string> = {
  growing: (raw) => shownTail(raw),
  cut: closeTail,
  whole: (raw) => raw,
}

const BlockView = memo(
  function BlockView({block, isFirst, id, definitions, ending, isWriting}: BlockViewProps) {
    const growing = ending === 'growing'
    switch (block.kind) {
      case 'markdown':
        return <MarkdownBlock raw={shownMarkdown[ending](block.raw)} definitions={definitions} isWriting={isWriting} />
      case 'code':
        return <CodeBlock info={block.info} code={block.code} closed={block.closed || !growing} />
      case 'math':
        if (block.closed || !growing) return <Formula tex={block.tex.trim()} display />
        return null
      case 'thought':
        return <Thought text={block.text} isFirst={isFirst} id={id} ending={block.closed ? 'whole' : ending} />
    }
  },
  (before, after) =>
    before.ending === after.ending &&
    before.isWriting === after.isWriting &&
    before.id === after.id &&
    isSameBlock(before.block, after.block) &&
    (before.definitions === after.definitions || !usesReferences(after.block)),
)

const usesReferences = (block: Block) => block.kind === 'markdown' && block.raw.includes('[')

/** A former tail becomes an equal settled block, which needs no new elements. */
function isSameBlock(before: Block, after: Block): boolean {
  if (before === after) return true
  if (before.kind === 'markdown' && after.kind === 'markdown') return before.raw === after.raw
  if (before.kind === 'code' && after.kind === 'code') {
    return before.code === after.code && before.info === after.info && before.closed === after.closed
  }
  if (before.kind === 'math' && after.kind === 'math') return before.tex === after.tex && before.closed === after.closed
  return (
    before.kind === 'thought' &&
    after.kind === 'thought' &&
    before.text === after.text &&
    before.closed === after.closed
  )
}

/** Longer tails (in characters) grow on screen in steps of three percent, each at a line end. */
const steppedFrom = 12_000

function shownTail(raw: string): string {
  if (raw.length <= steppedFrom) return repairTail(raw)
  const step = Math.floor(Math.log(raw.length / steppedFrom) / Math.log(1.03))
  const end = raw.lastIndexOf('\n', Math.floor(steppedFrom * 1.03 ** step))
  return end === -1 ? raw : repairTail(raw.slice(0, end + 1))
}

type MarkdownBlockProps = {raw: string; definitions: string; isWriting: boolean}

/** Keeps no tokens: each is a record beside the elements made of it. */
const MarkdownBlock = memo(function MarkdownBlock({raw, definitions, isWriting}: MarkdownBlockProps) {
  const tokens = lexBlock(raw, definitions)
  if (tokens === undefined) {
    return (
      <p dir="auto" className={classNames(styles.source, isWriting && styles.writing)}>
        <LongText text={raw.trimEnd()} />
      </p>
    )
  }
  return blockNodes(tokens, {isWriting})
})

/** A thought of at most so many characters has just begun. */
const newThought = 400

type ThoughtProps = {text: string; isFirst: boolean; id: string | undefined; ending: Ending}

/** The thoughts of a reasoning model, with their time: a muted quotation that opens on demand, also while it grows. */
function Thought({text: thought, isFirst, id, ending}: ThoughtProps) {
  const text = useText()
  const {locale} = useLanguage()
  const growing = ending === 'growing'
  const [open, setOpen] = useState(false)
  const measured = useContext(MeasuredThought)
  const seen = useThoughtSeconds(id, growing, thought.length <= newThought)
  const seconds = seen ?? (isFirst && !growing && measured !== undefined ? measured / 1_000 : undefined)
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
}
