import {buttonClass} from '#ui/button-class.ts'
import {classNames} from '#ui/class-names.ts'
import {PageLink} from '#ui/page-link.tsx'
import {useText} from '#ui/text.tsx'

/** The page where credits are bought, and the way there. */
export type AddCredits = {href: string; onFollow: () => void}

type AddCreditsLinkProps = AddCredits & {size: 'sm' | 'lg'; className?: string | undefined}

/** Leads to where credits are bought. This page stays: what waits for them goes on when they have come (spec §4). */
export function AddCreditsLink({size, className, ...way}: AddCreditsLinkProps) {
  const text = useText()
  return (
    <PageLink {...way} className={classNames(buttonClass('primary', size), className)}>
      {text('index.extra')}
    </PageLink>
  )
}
