import type {Token, Tokens} from 'marked'
import {createElement, Fragment, memo, type Key, type ReactNode} from 'react'
import {csvLine} from '#domain/csv.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {TableIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {CodeBlock} from './code-block.tsx'
import {Formula} from './formula.tsx'
import {inlineNodes} from './inline.tsx'
import styles from './markdown.module.css'
import {tableCells} from './plain-text.ts'

const Item = memo(
  function Item({item}: {item: Tokens.ListItem}) {
    const text = useText()
    return (
      <li className={item.task ? styles.task : undefined}>
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
        {blockNodes(item.tokens, true)}
      </li>
    )
  },
  // each lexing makes new tokens, often of equal text
  (before, after) => before.item.raw === after.item.raw && before.item.loose === after.item.loose,
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

function List({list, direction}: {list: Tokens.List; direction: 'auto' | undefined}) {
  const items = list.items.map((item, index) => <Item key={index} item={item} />)
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

/** `dir="auto"` is set on the outermost block only; on a nested one it would hide its text from the outer one. */
function renderBlock(token: Token, nested: boolean, key: Key): ReactNode {
  const direction = nested ? undefined : 'auto'
  // as: marked's tokens are a union with a generic member, so `type` alone does not narrow them
  // as: marked's tokens are a union with a generic member, so `type` alone does not narrow them
  switch (token.type) {
    case 'heading': {
      const {depth, tokens} = token as Tokens.Heading
      return createElement(
        `h${Math.min(depth + 2, 6)}`,
        {key, dir: direction, 'data-depth': depth},
        inlineNodes(tokens),
      )
    }
    case 'paragraph':
      return (
        <p key={key} dir={direction}>
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
          {blockNodes((token as Tokens.Blockquote).tokens, true)}
        </blockquote>
      )
    case 'list':
      return <List key={key} list={token as Tokens.List} direction={direction} />
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
        <p key={key} dir={direction} className={styles.source}>
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
export const blockNodes = (tokens: readonly Token[], nested = false): ReactNode[] =>
  tokens.map((token, index) => renderBlock(token, nested, index))
