import {memo, use, useLayoutEffect, useRef, useState, type RefObject} from 'react'
import {copyIcon, saveCodeIcon, wrapIcon} from '#ui/block-icons.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {classNames} from '#ui/class-names.ts'
import {iconButtonClass} from '#ui/icon-button-class.ts'
import {loadPart} from '#ui/load-part.ts'
import {useText} from '#ui/text.tsx'
import {codeFileName, readInfo} from './code-file.ts'
import {createCodePainter, type ColouredCode} from './code-painter.ts'
import {CopyTool} from './copy-tool.tsx'
import {MessageSelection} from './kept-selection.tsx'
import styles from './code-block.module.css'
import edges from './scroll-edges.module.css'
import {useHighlight} from './use-highlight.ts'
import {useScrolls} from './use-scrolls.ts'

async function saveCode(code: string, name: string): Promise<void> {
  const {saveBlob} = await loadPart(() => import('#browser/save-blob.ts'))
  saveBlob(new Blob([code], {type: 'text/plain;charset=utf-8'}), name)
}

type CodeTextProps = {code: string; coloured: ColouredCode | undefined}

function CodeText({code, coloured}: CodeTextProps) {
  const keeping = use(MessageSelection)
  const [painter] = useState(() => createCodePainter(keeping))
  useLayoutEffect(() => painter.show(code, coloured), [painter, code, coloured])
  return <code ref={painter.attach} />
}

type CodeToolsProps = {
  wrap: boolean
  setWrap: (wrap: boolean) => void
  /** Shows the code, and carries what its fence says. */
  pre: RefObject<HTMLElement | null>
}

const labelledClass = buttonClass('ghost', 'sm')
const iconClass = iconButtonClass('sm')

/**
 * Reads the code where it is shown, so that code that grows needs no render of its buttons. These are written out, and
 * their icons made once: as components they were two fifths of what React kept of an answer.
 */
const CodeTools = memo(function CodeTools({wrap, setWrap, pre}: CodeToolsProps) {
  const text = useText()
  const code = () => pre.current?.textContent ?? ''
  const save = () => {
    const {language, file} = readInfo(pre.current?.dataset.info ?? '')
    void saveCode(code(), codeFileName(language, file))
  }
  return (
    <>
      <span className={styles.tools} data-shown={wrap || undefined}>
        <button type="button" className={labelledClass} aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          {wrapIcon}
          {text('chat.wrapLines')}
        </button>
        <button type="button" className={iconClass} aria-label={text('chat.saveCode')} data-named onClick={save}>
          {saveCodeIcon}
        </button>
      </span>
      <CopyTool labelled label={text('common.copy')} icon={copyIcon} value={code} />
    </>
  )
})

type CodeHeadProps = CodeToolsProps & {
  /** The language or the file; empty where the fence names neither. */
  label: string
}

const CodeHead = memo(function CodeHead({label, ...tools}: CodeHeadProps) {
  const text = useText()
  return (
    <figcaption className={styles.head}>
      <span className={styles.label}>{label === '' ? text('chat.code') : label}</span>
      <CodeTools {...tools} />
    </figcaption>
  )
})

type CodeBlockProps = {info: string; code: string; closed: boolean}

/** A fenced block: language, copy button, optional wrapping; coloured line by line while it grows. */
export const CodeBlock = memo(function CodeBlock({info, code, closed}: CodeBlockProps) {
  const text = useText()
  const [wrap, setWrap] = useState(false)
  const pre = useRef<HTMLPreElement>(null)
  const {language, label} = readInfo(info)
  const colouredCode = useHighlight(code, language, closed)
  const stands = closed ? `closed ${wrap}` : undefined
  const scrolls = useScrolls(pre, {isSized: false, stands})
  const stop = scrolls && {tabIndex: 0, role: 'group', 'aria-label': label || text('chat.code')}
  return (
    <figure className={styles.code} dir="ltr">
      <CodeHead label={label} wrap={wrap} setWrap={setWrap} pre={pre} />
      <pre
        ref={pre}
        // one that grows would be painted whole with each word
        className={classNames(styles.pre, closed && edges.edges)}
        data-info={info}
        data-wrap={wrap || undefined}
        {...stop}
      >
        <CodeText code={code} coloured={colouredCode} />
      </pre>
    </figure>
  )
})
