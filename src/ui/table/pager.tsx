import type {ReactElement} from 'react'
import {useLanguage} from '../language.tsx'
import {useText} from '../text.tsx'
import styles from './pager.module.css'

type PagerProps = {
  /** From 1. */
  page: number
  pageSize: number
  /** Rows on all pages. */
  total: number
  /** A link to a page, `aria-current` if it is this one; undefined where the page does not exist. */
  link: (page: number | undefined, label: string) => ReactElement
}

/** First and last, the pages beside this one, and `undefined` where more than one is left out. */
function shownPages(page: number, last: number): (number | undefined)[] {
  const near = [1, page - 1, page, page + 1, last].filter((each) => each >= 1 && each <= last)
  const pages = [...new Set(near)].toSorted((one, other) => one - other)
  return pages.flatMap((each, index) => {
    const before = pages[index - 1] ?? 0
    if (each - before <= 1) return [each]
    return [each - before === 2 ? each - 1 : undefined, each]
  })
}

/** `1–12 of 486` and links to other pages: the page is in the address, so Back works. Phones have those beside. */
export function Pager({page, pageSize, total, link}: PagerProps) {
  const text = useText()
  const {locale} = useLanguage()
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (last === 1 && page === 1) return null
  const numbers = new Intl.NumberFormat(`${locale}-u-nu-latn`)
  const first = Math.min((page - 1) * pageSize + 1, total)
  const range = {
    from: numbers.format(first),
    to: numbers.format(Math.min(page * pageSize, total)),
    total: numbers.format(total),
  }
  return (
    <nav className={styles.pager} aria-label={text('console.pages')}>
      <span className={styles.range}>{text('console.range', range)}</span>
      {link(page > 1 ? Math.min(page - 1, last) : undefined, text('console.previous'))}
      <span className={styles.numbers}>
        {shownPages(page, last).map((each, index) =>
          each === undefined ? (
            <span key={`gap-${index}`} aria-hidden="true">
              …
            </span>
          ) : (
            link(each, numbers.format(each))
          ),
        )}
      </span>
      {link(page < last ? page + 1 : undefined, text('console.next'))}
    </nav>
  )
}
