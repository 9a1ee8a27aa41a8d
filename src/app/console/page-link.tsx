import {Link, type LinkProps} from '@tanstack/react-router'
import {buttonClass} from '#ui/button-class.ts'

/** Pages of the console and of the referral programme that list rows. */
type ListPath = Extract<
  LinkProps['to'],
  '/console/applications' | '/console/orders' | '/console/usages' | '/distribution/history' | '/distribution/invitees'
>

/** Links of a pager: this address with another page. Without a page the label is shown and leads nowhere. */
export const pagerLinks = (path: ListPath) =>
  function PagerLink(page: number | undefined, label: string) {
    return page === undefined ? (
      <span key={label} className={buttonClass('outline', 'sm')} aria-disabled="true">
        {label}
      </span>
    ) : (
      <Link
        key={label}
        to={path}
        search={(search) => ({...search, page: page === 1 ? undefined : String(page)})}
        className={buttonClass('outline', 'sm')}
      >
        {label}
      </Link>
    )
  }
