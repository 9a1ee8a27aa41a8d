import {memo, useMemo, useState} from 'react'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {WrapIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './markdown.module.css'
import {lazyModule, useLazy} from '#ui/use-lazy.ts'

const highlighter = lazyModule(() => import('./highlight.ts'))

/** Code longer than this (in characters) stays plain: colouring it would hold the page up for more than a frame. */
const longestHighlight = 16_000
/** Lines in one element: a growing block lays out only its last element again. */
const linesInChunk = 40

/** The language and, when the fence names one, the file: ```` ```ts useDebounced.ts ````. */
function readInfo(info: string): {language: string; label: string} {
  const [language = '', ...words] = info.trim().split(/\s+/)
  const attribute = /(?:title|file|filename)=["']?([^"'\s]+)/.exec(info)?.[1]
  const file = attribute ?? words.find((word) => /^[\w./-]+\.\w{1,8}$/.test(word))
  return {language: language.replace(/[{:].*$/, '').toLowerCase(), label: file ?? language}
}

/** Pieces of equal height, so that the settled ones keep their elements. */
function chunksOf(code: string): string[] {
  const lines = code.split('\n')
  const chunks: string[] = []
  for (let from = 0; from < lines.length; from += linesInChunk) {
    const end = Math.min(from + linesInChunk, lines.length)
    chunks.push(lines.slice(from, end).join('\n') + (end < lines.length ? '\n' : ''))
  }
  return chunks
}

const PlainChunk = memo(({text}: {text: string}) => <span>{text}</span>)

type CodeBlockProps = {info: string; code: string; closed: boolean}

/** A fenced block: its language, a copy button, wrapping on demand; colours once its fence has closed. */
export const CodeBlock = memo(function CodeBlock({info, code, closed}: CodeBlockProps) {
  const text = useText()
  const [wrap, setWrap] = useState(false)
  const {language, label} = readInfo(info)
  const colours = useLazy(highlighter, closed && language !== '' && code.length <= longestHighlight)
  const pieces = useMemo(() => colours?.highlight(code, language), [colours, code, language])
  return (
    <figure className={styles.code} dir="ltr">
      <figcaption className={styles.codeHead}>
        <span className={styles.codeLabel}>{label === '' ? text('chat.code') : label}</span>
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={wrap}
          className={styles.wrapButton}
          icon={<WrapIcon size={14} />}
          onClick={() => setWrap(!wrap)}
        >
          {text('chat.wrapLines')}
        </Button>
        <CopyButton labelled label={text('common.copy')} value={() => code} />
      </figcaption>
      <pre className={styles.pre} data-wrap={wrap || undefined} tabIndex={0}>
        <code>
          {pieces === undefined
            ? chunksOf(code).map((chunk, index) => <PlainChunk key={index} text={chunk} />)
            : pieces.map((piece, index) =>
                piece.scope === undefined ? (
                  piece.text
                ) : (
                  <span key={index} data-scope={piece.scope.split('.')[0]}>
                    {piece.text}
                  </span>
                ),
              )}
        </code>
      </pre>
    </figure>
  )
})
