import {Link} from '@tanstack/react-router'
import {buttonClass} from '#ui/button-class.ts'

/** A link of a pager: this address with another page. Without a page the label is shown and leads nowhere. */
export const pagerLink = (page: number | undefined, label: string) =>
  page === undefined ? (
    <span key={label} className={buttonClass('outline', 'sm')} aria-disabled="true">
      {label}
    </span>
  ) : (
    <Link
      key={label}
      to="."
      // else the first page, which has no number in the address, would be any page
      activeOptions={{exact: true}}
      search={(search) => ({...search, page: page === 1 ? undefined : String(page)})}
      className={buttonClass('outline', 'sm')}
    >
      {label}
    </Link>
  )
