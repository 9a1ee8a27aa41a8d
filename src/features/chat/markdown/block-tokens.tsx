import type {Token, Tokens} from 'marked'
import {
  createContext,
  createElement,
  Fragment,
  useContext,
  useRef,
  type Key,
  type ReactElement,
  type ReactNode,
} from 'react'
import {csvLine} from '#domain/csv.ts'
import {tableIcon} from '#ui/block-icons.tsx'
import {classNames} from '#ui/class-names.ts'
import {useText} from '#ui/text.tsx'
import {isMathFence} from './block-kinds.ts'
import {CodeBlock} from './code-block.tsx'
import {CopyTool} from './copy-tool.tsx'
import {directionOf, rightToLeft} from './direction.ts'
import {Formula} from './formula.tsx'
import {inlineNodes} from './inline.tsx'
import {lexBlock} from './lex-block.ts'
import styles from './markdown.module.css'
import type {PartCache} from './part-cache.ts'
import {children, inlineText, tableCells} from './plain-text.ts'
import {useScrolls} from './use-scrolls.ts'
import edges from './scroll-edges.module.css'
import boxStyles from './table-box.module.css'

/** Tokens that leave no element behind. */
const isSilent = ({type}: Token) => type === 'space' || type === 'def' || type === 'checkbox'

function TaskBox({isDone}: {isDone: boolean}) {
  const text = useText()
  return (
    <input
      type="checkbox"
      className={styles.taskBox}
      checked={isDone}
      disabled
      readOnly
      aria-label={text(isDone ? 'chat.taskDone' : 'chat.taskOpen')}
    />
  )
}

/** A text alone, of which React keeps no record, or elements in one list, for which it keeps none either. */
function itemContent(item: Tokens.ListItem, options: BlockOptions): ReactNode {
  const nodes = blockNodes(item.tokens, {...options, nested: true})
  const [only] = nodes
  if (item.task) return [<TaskBox key="task" isDone={item.checked === true} />, ...nodes]
  return nodes.length === 1 && typeof only === 'string' ? only : nodes
}

function itemNode(item: Tokens.ListItem, index: number, options: BlockOptions): ReactElement {
  const {isWriting, parts} = options
  const isEnd = isWriting && item.tokens.findLast((token) => !isSilent(token))?.type === 'text'
  const make = () => (
    <li key={index} className={classNames(item.task && styles.task, isEnd && styles.writing) || undefined}>
      {itemContent(item, options)}
    </li>
  )
  if (parts === undefined) return make()
  return parts.element(`item ${index} ${isWriting} ${item.loose}\n${item.raw}`, make)
}

/** Class of an outermost list, quote or table in which both directions may meet. */
const mixedMark = (raw: string) => rightToLeft.test(raw) && styles.mixed

const isOfImages = (tokens: readonly Token[]): boolean =>
  tokens.every(
    (token) =>
      token.type === 'image' ||
      (children(token).length > 0 ? isOfImages(children(token)) : token.type === 'br' || token.raw.trim() === ''),
  )

/** Images alone stand as their descriptions are written: the words on their keys are those of the page. */
function paragraphDirection(tokens: readonly Token[]): 'auto' | 'ltr' | 'rtl' | undefined {
  return isOfImages(tokens) ? directionOf(inlineText(tokens)) : 'auto'
}

function listNode(list: Tokens.List, key: Key, options: BlockOptions): ReactElement {
  const block = options.nested ? {} : {dir: 'auto', className: mixedMark(list.raw) || undefined}
  const items = list.items.map((item, index) =>
    itemNode(item, index, {...options, isWriting: options.isWriting && index === list.items.length - 1}),
  )
  return list.ordered ? (
    <ol key={key} {...block} start={Number(list.start) || undefined}>
      {items}
    </ol>
  ) : (
    <ul key={key} {...block}>
      {items}
    </ul>
  )
}

/** A cell of so few characters stays on one line: Chinese and Japanese would break between any two. */
const mostBriefCharacters = 12

const cellNodes = (cells: readonly Tokens.TableCell[]) =>
  cells.map(({align, text, tokens}, index) => (
    <td key={index} data-align={align ?? undefined} data-brief={text.length <= mostBriefCharacters || undefined}>
      {inlineNodes(tokens)}
    </td>
  ))

function rowNode(cells: readonly Tokens.TableCell[], index: number, {parts}: BlockOptions): ReactElement {
  const make = () => <tr key={index}>{cellNodes(cells)}</tr>
  if (parts === undefined) return make()
  // a cell has no line break
  const texts = cells.map(({align, text}) => `${align} ${text}`).join('\n')
  return parts.element(`row ${index}\n${texts}`, make)
}

function tableNode(table: Tokens.Table, key: Key, options: BlockOptions): ReactElement {
  return (
    <TableBox
      key={key}
      name={table.header.map(({tokens}) => inlineText(tokens)).join(', ')}
      raw={table.raw}
      definitions={options.definitions}
    >
      <thead>
        <tr>
          {table.header.map(({align, tokens}, index) => (
            <th key={index} scope="col" data-align={align ?? undefined}>
              {inlineNodes(tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{table.rows.map((cells, index) => rowNode(cells, index, options))}</tbody>
    </TableBox>
  )
}

/** A table as CSV, of its Markdown: its tokens would be held as long as it is shown. */
function tableCsv(raw: string, definitions: string): string {
  const table = lexBlock(raw, definitions)?.find(({type}) => type === 'table')
  // as: marked's tokens are a union with a generic member, so `type` alone does not narrow them
  return table === undefined
    ? raw
    : tableCells(table as Tokens.Table)
        .map(csvLine)
        .join('')
}

type TableBoxProps = {
  /** Its head, by which it is called where it is a stop of Tab. */
  name: string
  raw: string
  definitions: string
  children: ReactNode
}

function TableBox({name, raw, definitions, children}: TableBoxProps) {
  const text = useText()
  const box = useRef<HTMLDivElement>(null)
  const stop = useScrolls(box, {isSized: true}) && {tabIndex: 0, role: 'group', 'aria-label': name}
  return (
    <div className={boxStyles.box}>
      <div ref={box} className={classNames(boxStyles.scroll, edges.edges, mixedMark(raw))} dir="auto" {...stop}>
        <table className={styles.table}>{children}</table>
      </div>
      <div className={boxStyles.tools}>
        <CopyTool label={text('chat.copyTable')} icon={tableIcon} value={() => tableCsv(raw, definitions)} />
      </div>
    </div>
  )
}

/** Depth of a text's first heading: it stands under the name of its message (`h2`), however the model begins. */
export const FirstHeading = createContext(1)

type HeadingProps = {heading: Tokens.Heading; direction: 'auto' | undefined; mark: string | undefined}

function Heading({heading: {depth, tokens}, direction, mark}: HeadingProps) {
  const level = Math.min(3 + Math.max(0, depth - useContext(FirstHeading)), 6)
  return createElement(`h${level}`, {dir: direction, className: mark}, inlineNodes(tokens))
}

type BlockOptions = {
  /** `dir="auto"` is set on the outermost block only; on a nested one it would hide its text from the outer one. */
  nested?: boolean
  /** The writing mark stands behind the last word. */
  isWriting: boolean
  /** Reference definitions of the whole text. */
  definitions: string
  /** The parts of a block that grows. */
  parts: PartCache | undefined
}

function renderBlock(token: Token, options: BlockOptions, key: Key): ReactNode {
  const {nested = false, isWriting} = options
  const direction = nested ? undefined : 'auto'
  const mark = isWriting ? styles.writing : undefined
  // as: marked's tokens are a union with a generic member, so `type` alone does not narrow them
  switch (token.type) {
    case 'heading':
      return <Heading key={key} heading={token as Tokens.Heading} direction={direction} mark={mark} />
    case 'paragraph': {
      const {tokens} = token as Tokens.Paragraph
      return (
        <p key={key} dir={direction && paragraphDirection(tokens)} className={mark}>
          {inlineNodes(tokens)}
        </p>
      )
    }
    case 'text': {
      // the content of a tight list item
      const nodes = inlineNodes((token as Tokens.Text).tokens ?? [token])
      return typeof nodes === 'string' ? nodes : <Fragment key={key}>{nodes}</Fragment>
    }
    case 'blockquote':
      return (
        <blockquote key={key} dir={direction} className={classNames(styles.quote, mixedMark(token.raw))}>
          {blockNodes((token as Tokens.Blockquote).tokens, {...options, nested: true})}
        </blockquote>
      )
    case 'list':
      return listNode(token as Tokens.List, key, options)
    case 'code': {
      const {lang = '', text} = token as Tokens.Code
      if (isMathFence(lang)) return <Formula key={key} tex={text} display />
      return <CodeBlock key={key} info={lang} code={text} closed />
    }
    case 'table':
      return tableNode(token as Tokens.Table, key, options)
    case 'hr':
      return <hr key={key} />
    case 'html':
      return (
        <p key={key} dir={direction} className={classNames(styles.source, mark)}>
          {token.raw.trimEnd()}
        </p>
      )
    case 'space':
    case 'def':
    case 'checkbox':
      return null
    default:
      return token.raw
  }
}

/** Block tokens as elements; a function as `inlineNodes` is. */
export const blockNodes = (tokens: readonly Token[], options: BlockOptions): ReactNode[] => {
  const last = options.isWriting ? tokens.findLastIndex((token) => !isSilent(token)) : -1
  return tokens.map((token, index) => renderBlock(token, {...options, isWriting: index === last}, index))
}
