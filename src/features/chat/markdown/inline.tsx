import type {Token} from 'marked'
import {Fragment, useContext, type Key, type ReactElement, type ReactNode} from 'react'
import {decodeEntities} from './entities.ts'
import {Formula} from './formula.tsx'
import styles from './markdown.module.css'
import {LinkedImage} from './linked-image.ts'
import {MarkdownImage} from './markdown-image.tsx'
import {MediaPolicyContext} from './media-origins.ts'
import {newTab} from './new-tab.ts'
import {NoteReference} from './notes.tsx'
import {children, inlineText} from './plain-text.ts'
import {hostToReveal, safeLink} from './safe-link.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : '')

type LinkProps = {address: string; title: string; tokens: Token[]; hasImage: boolean}

function Link({address, title, tokens, hasImage}: LinkProps) {
  const {pageOrigin} = useContext(MediaPolicyContext)
  const url = safeLink(decodeEntities(address), pageOrigin)
  const content = inlineNodes(tokens)
  if (url === undefined) return content
  const host = hostToReveal(inlineText(tokens), url)
  return (
    <>
      <a className={styles.link} href={url.href} {...newTab} {...(title === '' ? {} : {title: decodeEntities(title)})}>
        {hasImage ? <LinkedImage value>{content}</LinkedImage> : content}
      </a>
      {host !== undefined && (
        <span className={styles.realHost}>
          {' '}
          (<bdi dir="ltr">{host}</bdi>)
        </span>
      )}
    </>
  )
}

/** A text, an element with this key, or nothing. */
function renderToken(token: Token, key: Key): string | ReactElement | null {
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{inlineNodes(children(token))}</strong>
    case 'em':
      return <em key={key}>{inlineNodes(children(token))}</em>
    case 'del':
      return <del key={key}>{inlineNodes(children(token))}</del>
    case 'sub':
      return <sub key={key}>{inlineNodes(children(token))}</sub>
    case 'sup':
      return <sup key={key}>{inlineNodes(children(token))}</sup>
    case 'codespan':
      return (
        <code key={key} dir="ltr" className={styles.inlineCode}>
          {text(token.text)}
        </code>
      )
    case 'br':
      return <br key={key} />
    case 'link':
      return (
        <Link
          key={key}
          address={text(token.href)}
          title={text(token.title)}
          tokens={children(token)}
          hasImage={token.raw.includes('![')}
        />
      )
    case 'image':
      return (
        <MarkdownImage
          key={key}
          source={decodeEntities(text(token.href))}
          description={decodeEntities(text(token.text))}
        />
      )
    case 'math': {
      // as: members of our own extension, which marked types as any
      const {tex, display} = token as {tex?: unknown; display?: unknown}
      return <Formula key={key} tex={text(tex)} display={display === true} />
    }
    case 'note':
      return <NoteReference key={key} label={text(token.label)} raw={token.raw} />
    case 'checkbox':
      return null
    case 'escape':
      return text(token.text)
    case 'html':
      // shown as text, never as elements (security R01)
      return text(token.raw)
    case 'text':
      return children(token).length > 0 ? (
        <Fragment key={key}>{inlineNodes(children(token))}</Fragment>
      ) : (
        decodeEntities(text(token.text))
      )
    default:
      return text(token.raw)
  }
}

/**
 * Inline tokens as texts and elements. A function and no component, and neighbouring texts in one: a long answer has
 * thousands of them, and React keeps two records of each component and each text.
 */
export function inlineNodes(tokens: readonly Token[]): ReactNode {
  const nodes: (string | ReactElement)[] = []
  tokens.forEach((token, index) => {
    const node = renderToken(token, index)
    const last = nodes.at(-1)
    if (typeof node === 'string' && typeof last === 'string') nodes[nodes.length - 1] = last + node
    else if (node !== null) nodes.push(node)
  })
  const [only] = nodes
  // an array that grew has room for sixteen more, as long as it is shown
  return nodes.length === 1 && typeof only === 'string' ? only : [...nodes]
}
