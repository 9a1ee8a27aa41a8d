import {useLayoutEffect, useRef, useState} from 'react'
import {flushSync} from 'react-dom'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {LongText} from './markdown/long-text.tsx'
import styles from './question-text.module.css'
import {foldOpening} from './unfold-text.ts'

/** A question with more lines or characters is folded; on a wide screen so many characters fill about as many lines. */
const mostLines = 16
const mostCharacters = 1_200

/** Characters of Chinese, Japanese and Korean, which are twice as wide as others. */
const wideCharacters = /[\u1100-\u115f\u2e80-\ud7a3\uf900-\ufaff\uff00-\uff60]/g

function isLong(words: string): boolean {
  if (words.length > mostCharacters || words.split('\n', mostLines + 1).length > mostLines) return true
  return words.length + (words.match(wideCharacters)?.length ?? 0) > mostCharacters
}

/** Messages whose words were unfolded: a windowed list creates their rows anew. */
const unfoldedMessages = new WeakSet<WeakKey>()

type QuestionTextProps = {words: string; /** The message of the words. */ message: WeakKey}

/** The words of a question. Whether they are folded depends on them alone: nothing moves once they are shown. */
export function QuestionText({words, message}: QuestionTextProps) {
  return isLong(words) ? (
    <FoldedText words={words} message={message} />
  ) : (
    <div dir="auto" data-words>
      <LongText text={words} />
    </div>
  )
}

/**
 * Begins with the first lines of a long question. Its button opens it, and so does what leads to words in it: a link or
 * a search of ours (`unfold`), the browser's own search or a selection that is drawn on, which scroll what is folded.
 */
function FoldedText({words, message}: QuestionTextProps) {
  const text = useText()
  const fold = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(() => unfoldedMessages.has(message))
  useLayoutEffect(() => {
    const element = fold.current
    if (element === null || isOpen) return
    const listening = new AbortController()
    const open = () => {
      unfoldedMessages.add(message)
      setIsOpen(true)
    }
    const follow = () => {
      const {scrollTop: top} = element
      flushSync(open)
      // the words that were scrolled to stay where they are
      element.closest('[role="log"]')?.scrollBy({top, behavior: 'instant'})
    }
    element.addEventListener('scroll', follow, {signal: listening.signal})
    element.addEventListener(foldOpening, open, {signal: listening.signal})
    return () => listening.abort()
  }, [isOpen, message])
  const toggle = () => {
    if (!isOpen) unfoldedMessages.add(message)
    else unfoldedMessages.delete(message)
    flushSync(() => setIsOpen(!isOpen))
    // the end of a long text is below its beginning
    if (isOpen) fold.current?.closest('article')?.scrollIntoView({block: 'nearest'})
  }
  return (
    <>
      <div
        ref={fold}
        dir="auto"
        data-words
        className={isOpen ? undefined : styles.folded}
        data-folded={!isOpen || undefined}
      >
        <LongText text={words} />
      </div>
      <Button
        variant="ghost"
        size="sm"
        className={styles.toggle}
        aria-expanded={isOpen}
        data-unfolds={!isOpen || undefined}
        onClick={toggle}
      >
        {text(isOpen ? 'chat.showLess' : 'chat.showAll')}
      </Button>
    </>
  )
}
