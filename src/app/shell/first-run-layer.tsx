import {useSelector} from '@xstate/react'
import {siteNameOf} from '#domain/site-name.ts'
import {FirstRunDialog} from '#features/shell/first-run-dialog.tsx'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {selectFailures} from '#machines/provisioning/provisioning.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {useAppInfo} from '../app-info.tsx'
import {useAppActor} from '../actors.context.tsx'
import {useWords} from '../use-words.ts'
import {firstRun, useFirstRunDismissed} from './first-run.ts'

/** The dialog in which a new user begins, while the user has no application. */
export function FirstRunLayer({provisioning}: {provisioning: ProvisioningActor}) {
  useWords('account')
  const title = siteNameOf(useSelector(useAppActor('site'), selectSite)?.title)
  const applying = useSelector(provisioning, (snapshot) => snapshot.hasTag('applying'))
  const failure = useSelector(provisioning, (snapshot) => selectFailures(snapshot).application?.code)
  const isDismissed = useFirstRunDismissed()
  const {termsLink} = useAppInfo()
  return (
    <FirstRunDialog
      open={!isDismissed}
      siteTitle={title}
      termsLink={termsLink}
      applying={applying}
      failure={failure}
      onStart={() => provisioning.send({type: 'application.apply', termsAccepted: true})}
      onClose={() => firstRun.setDismissed(true)}
    />
  )
}
