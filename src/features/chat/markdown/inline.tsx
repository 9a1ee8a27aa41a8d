import type {Token} from 'marked'
import {Fragment, useContext, type ReactNode} from 'react'
import {decodeEntities} from './entities.ts'
import {Formula} from './formula.tsx'
import styles from './markdown.module.css'
import {MediaPolicyContext} from './media-origins.ts'
import {MarkdownImage} from './markdown-image.tsx'
import {children, inlineText} from './plain-text.ts'
import {hostToReveal, safeLink} from './safe-link.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : '')

function Link({address, title, tokens}: {address: string; title: string; tokens: Token[]}) {
  const {pageOrigin} = useContext(MediaPolicyContext)
  const url = safeLink(decodeEntities(address), pageOrigin)
  const content = <Inline tokens={tokens} />
  if (url === undefined) return content
  const host = hostToReveal(inlineText(tokens), url)
  return (
    <>
      <a
        className={styles.link}
        href={url.href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        {...(title === '' ? {} : {title: decodeEntities(title)})}
      >
        {content}
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

function renderToken(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong>
          <Inline tokens={children(token)} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={children(token)} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inline tokens={children(token)} />
        </del>
      )
    case 'codespan':
      return (
        <code dir="ltr" className={styles.inlineCode}>
          {text(token.text)}
        </code>
      )
    case 'br':
      return <br />
    case 'link':
      return <Link address={text(token.href)} title={text(token.title)} tokens={children(token)} />
    case 'image':
      return <MarkdownImage source={decodeEntities(text(token.href))} description={decodeEntities(text(token.text))} />
    case 'math': {
      // as: members of our own extension, which marked types as any
      const {tex, display} = token as {tex?: unknown; display?: unknown}
      return <Formula tex={text(tex)} display={display === true} />
    }
    case 'checkbox':
      return null
    case 'escape':
      return text(token.text)
    case 'html':
      // shown as text, never as elements (security R01)
      return text(token.raw)
    case 'text':
      return children(token).length > 0 ? <Inline tokens={children(token)} /> : decodeEntities(text(token.text))
    default:
      return text(token.raw)
  }
}

/** Inline tokens as elements. */
export function Inline({tokens}: {tokens: readonly Token[]}) {
  return tokens.map((token, index) => <Fragment key={index}>{renderToken(token)}</Fragment>)
}
