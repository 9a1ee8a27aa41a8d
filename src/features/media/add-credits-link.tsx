import {buttonClass} from '#ui/button-class.ts'
import {classNames} from '#ui/class-names.ts'
import {PageLink} from '#ui/page-link.tsx'
import {useText} from '#ui/text.tsx'
import {useMedia} from './media.context.tsx'

type AddCreditsLinkProps = {href: string; size: 'sm' | 'lg'; className?: string | undefined}

/** Leads to where credits are bought. The page stays: what waits for them goes on when they have come (spec §4). */
export function AddCreditsLink({href, size, className}: AddCreditsLinkProps) {
  const text = useText()
  const {navigation} = useMedia()
  return (
    <PageLink
      className={classNames(buttonClass('primary', size), className)}
      href={href}
      onFollow={() => navigation.go(href)}
    >
      {text('application.addCredits')}
    </PageLink>
  )
}
