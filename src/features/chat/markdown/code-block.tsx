import {memo, useCallback, useRef, useState, type RefObject} from 'react'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {loadPart} from '#ui/load-part.ts'
import {SaveCodeIcon, WrapIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {codeFileName} from './code-file.ts'
import type {CodePiece} from './highlight.ts'
import styles from './markdown.module.css'
import {longText, TextPiece} from './long-text.tsx'
import {codePieces} from './text-pieces.ts'
import {useHighlight} from './use-highlight.ts'

/** Longer code (in characters) stays plain. */
const longestHighlight = 16_000

/** The language and, if the fence names one, the file: ```` ```ts useDebounced.ts ````. */
function readInfo(info: string): {language: string; label: string; file: string | undefined} {
  const [language = '', ...words] = info.trim().split(/\s+/)
  const attribute = /(?:title|file|filename)=["']?([^"'\s]+)/.exec(info)?.[1]
  const file = attribute ?? words.find((word) => /^[\w./-]+\.\w{1,8}$/.test(word))
  return {language: language.replace(/[{:].*$/, '').toLowerCase(), label: file ?? language, file}
}

async function saveCode(code: string, name: string): Promise<void> {
  const {saveBlob} = await loadPart(() => import('#browser/save-blob.ts'))
  saveBlob(new Blob([code], {type: 'text/plain;charset=utf-8'}), name)
}

const nodeOf = ({text, scope}: CodePiece): Node => {
  if (scope === undefined) return new Text(text)
  const span = document.createElement('span')
  span.dataset.scope = scope.split('.', 1)[0]
  span.textContent = text
  return span
}

/** Its pieces never change by themselves, so React keeps no records of them: they are most of what an answer has. */
function ColouredCode({pieces}: {pieces: readonly CodePiece[]}) {
  const show = useCallback((code: HTMLElement | null) => code?.replaceChildren(...pieces.map(nodeOf)), [pieces])
  return <code ref={show} />
}

type CodeHeadProps = {
  label: string
  language: string
  file: string | undefined
  wrap: boolean
  setWrap: (wrap: boolean) => void
  /** Shows the code. */
  pre: RefObject<HTMLElement | null>
}

/** Reads the code where it is shown, so that code that grows needs no render of its buttons. */
const CodeHead = memo(function CodeHead({label, language, file, wrap, setWrap, pre}: CodeHeadProps) {
  const text = useText()
  const code = () => pre.current?.textContent ?? ''
  return (
    <figcaption className={styles.codeHead}>
      <span className={styles.codeLabel}>{label === '' ? text('chat.code') : label}</span>
      <span className={styles.codeTools} data-shown={wrap || undefined}>
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={wrap}
          icon={<WrapIcon size={14} />}
          onClick={() => setWrap(!wrap)}
        >
          {text('chat.wrapLines')}
        </Button>
        <IconButton
          size="sm"
          label={text('chat.saveCode')}
          icon={<SaveCodeIcon size={14} />}
          onClick={() => void saveCode(code(), codeFileName(language, file))}
        />
      </span>
      <CopyButton labelled label={text('common.copy')} value={code} />
    </figcaption>
  )
})

type CodeBlockProps = {info: string; code: string; closed: boolean}

/** A fenced block: language, copy button, optional wrapping; coloured once its fence has closed. */
export const CodeBlock = memo(function CodeBlock({info, code, closed}: CodeBlockProps) {
  const [wrap, setWrap] = useState(false)
  const pre = useRef<HTMLPreElement>(null)
  const {language, label, file} = readInfo(info)
  const pieces = useHighlight(code, language, closed && language !== '' && code.length <= longestHighlight)
  return (
    <figure className={styles.code} dir="ltr">
      <CodeHead label={label} language={language} file={file} wrap={wrap} setWrap={setWrap} pre={pre} />
      <pre ref={pre} className={styles.pre} data-wrap={wrap || undefined} tabIndex={0}>
        {pieces === undefined ? (
          <code>
            {codePieces(code).map((piece, index) => (
              <TextPiece key={index} text={piece} isBlock={code.length > longText} />
            ))}
          </code>
        ) : (
          <ColouredCode pieces={pieces} />
        )}
      </pre>
    </figure>
  )
})
