import type {Token, Tokens} from 'marked'
import {createContext, createElement, Fragment, memo, useContext, type Key, type ReactNode} from 'react'
import {csvLine} from '#domain/csv.ts'
import {classNames} from '#ui/class-names.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {TableIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {CodeBlock} from './code-block.tsx'
import {Formula} from './formula.tsx'
import {inlineNodes} from './inline.tsx'
import styles from './markdown.module.css'
import {tableCells} from './plain-text.ts'

/** Tokens that leave no element behind. */
const isSilent = ({type}: Token) => type === 'space' || type === 'def' || type === 'checkbox'

type ItemProps = {item: Tokens.ListItem; isWriting: boolean}

const Item = memo(
  function Item({item, isWriting}: ItemProps) {
    const text = useText()
    const isEnd = isWriting && item.tokens.findLast((token) => !isSilent(token))?.type === 'text'
    return (
      <li className={classNames(item.task && styles.task, isEnd && styles.writing) || undefined}>
        {item.task && (
          <input
            type="checkbox"
            className={styles.taskBox}
            checked={item.checked === true}
            disabled
            readOnly
            aria-label={text(item.checked === true ? 'chat.taskDone' : 'chat.taskOpen')}
          />
        )}
        {blockNodes(item.tokens, {nested: true, isWriting})}
      </li>
    )
  },
  // each lexing makes new tokens, often of equal text
  (before, after) =>
    before.isWriting === after.isWriting &&
    before.item.raw === after.item.raw &&
    before.item.loose === after.item.loose,
)

const Row = memo(
  function Row({cells}: {cells: readonly Tokens.TableCell[]}) {
    return (
      <tr>
        {cells.map((cell, index) => (
          <td key={index} data-align={cell.align ?? undefined}>
            {inlineNodes(cell.tokens)}
          </td>
        ))}
      </tr>
    )
  },
  (before, after) =>
    before.cells.length === after.cells.length &&
    before.cells.every(
      (cell, index) => cell.text === after.cells[index]?.text && cell.align === after.cells[index]?.align,
    ),
)

type ListProps = {list: Tokens.List; direction: 'auto' | undefined; isWriting: boolean}

function List({list, direction, isWriting}: ListProps) {
  const items = list.items.map((item, index) => (
    <Item key={index} item={item} isWriting={isWriting && index === list.items.length - 1} />
  ))
  return list.ordered ? (
    <ol dir={direction} start={Number(list.start) || undefined}>
      {items}
    </ol>
  ) : (
    <ul dir={direction}>{items}</ul>
  )
}

function Table({table}: {table: Tokens.Table}) {
  const text = useText()
  return (
    <div className={styles.tableBox}>
      <div className={styles.tableScroll} tabIndex={0} dir="auto">
        <table className={styles.table}>
          <thead>
            <tr>
              {table.header.map((cell, index) => (
                <th key={index} scope="col" data-align={cell.align ?? undefined}>
                  {inlineNodes(cell.tokens)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((cells, index) => (
              <Row key={index} cells={cells} />
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.tableTools}>
        <CopyButton
          label={text('chat.copyTable')}
          icon={TableIcon}
          value={() => tableCells(table).map(csvLine).join('')}
        />
      </div>
    </div>
  )
}

/** Depth of the first heading of a text: it stands under the name of its message (`h2`), whatever the model begins with. */
export const FirstHeading = createContext(1)

type HeadingProps = {heading: Tokens.Heading; direction: 'auto' | undefined; mark: string | undefined}

function Heading({heading: {depth, tokens}, direction, mark}: HeadingProps) {
  const level = Math.min(3 + Math.max(0, depth - useContext(FirstHeading)), 6)
  return createElement(`h${level}`, {dir: direction, className: mark, 'data-depth': depth}, inlineNodes(tokens))
}

type BlockOptions = {
  /** `dir="auto"` is set on the outermost block only; on a nested one it would hide its text from the outer one. */
  nested?: boolean
  /** The writing mark stands behind the last word. */
  isWriting?: boolean
}

function renderBlock(token: Token, {nested = false, isWriting = false}: BlockOptions, key: Key): ReactNode {
  const direction = nested ? undefined : 'auto'
  const mark = isWriting ? styles.writing : undefined
  // as: marked's tokens are a union with a generic member, so `type` alone does not narrow them
  switch (token.type) {
    case 'heading':
      return <Heading key={key} heading={token as Tokens.Heading} direction={direction} mark={mark} />
    case 'paragraph':
      return (
        <p key={key} dir={direction} className={mark}>
          {inlineNodes((token as Tokens.Paragraph).tokens)}
        </p>
      )
    case 'text': {
      // the content of a tight list item
      const nodes = inlineNodes((token as Tokens.Text).tokens ?? [token])
      return typeof nodes === 'string' ? nodes : <Fragment key={key}>{nodes}</Fragment>
    }
    case 'blockquote':
      return (
        <blockquote key={key} dir={direction} className={styles.quote}>
          {blockNodes((token as Tokens.Blockquote).tokens, {nested: true, isWriting})}
        </blockquote>
      )
    case 'list':
      return <List key={key} list={token as Tokens.List} direction={direction} isWriting={isWriting} />
    case 'code': {
      const {lang = '', text} = token as Tokens.Code
      if (/^math\b/i.test(lang)) return <Formula key={key} tex={text} display />
      return <CodeBlock key={key} info={lang} code={text} closed />
    }
    case 'table':
      return <Table key={key} table={token as Tokens.Table} />
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
export const blockNodes = (tokens: readonly Token[], {nested, isWriting = false}: BlockOptions = {}): ReactNode[] => {
  const last = isWriting ? tokens.findLastIndex((token) => !isSilent(token)) : -1
  return tokens.map((token, index) => renderBlock(token, {nested, isWriting: index === last}, index))
}
