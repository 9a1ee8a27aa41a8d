import {CSPProvider} from '@base-ui/react/csp-provider'
import {DirectionProvider} from '@base-ui/react/direction-provider'
import type {ReactNode} from 'react'
import {useDirection} from '../text.tsx'

/** What every Base UI overlay needs: no inline style elements (the page's CSP refuses them) and the reading direction. */
export function OverlayProviders({children}: {children: ReactNode}) {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={useDirection()}>{children}</DirectionProvider>
    </CSPProvider>
  )
}
