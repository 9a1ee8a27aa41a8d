import type {IssuedTokens} from '../tokens.ts'
import {html} from './html.ts'
import {document, siteName, text, type PageContext} from './page.ts'
import {checkIcon} from './images.ts'

/**
 * Shown instead of a form whose answer would go to a forbidden target (security R10, R12). No part of the request
 * becomes a link.
 */
export function refusedPage(page: PageContext, name: string): string {
  const heading = text(page, 'refusedTitle')
  const reason =
    name === 'redirect' || name === 'parent_origin' ? text(page, 'refusedRedirect') : text(page, 'refusedQuery', {name})
  return document(page, {
    title: heading,
    body: html`<h1>${heading}</h1>
      <p class="lead" role="alert">${reason}</p>
      <p class="other">
        <a class="second" href="${page.hub}/" target="_top">${text(page, 'continueTo', {site: siteName(page)})}</a>
      </p>`,
  })
}

/** After the embedded sign-in: its script hands the tokens to exactly the pages of `target`, once (security R14). */
export function signedInPage(page: PageContext, {access_token, refresh_token, expires_in}: IssuedTokens): string {
  const heading = text(page, 'signedInTitle')
  return document(page, {
    title: heading,
    data: {login: {access_token, refresh_token, expires_in}},
    body: html`<div class="done">${checkIcon}</div>
      <h1>${heading}</h1>
      <p class="lead" role="status">${text(page, 'signedInText')}</p>
      <noscript><p class="error">${text(page, 'needsScript')}</p></noscript>`,
  })
}
