import {CSPProvider} from '@base-ui/react/csp-provider'
import {DirectionProvider} from '@base-ui/react/direction-provider'
import type {ReactNode} from 'react'
import {useDirection} from '../text.tsx'

/**
 * Settings of every Base UI overlay: no inline style elements (the page's CSP refuses them) and the reading direction.
 */
export function OverlayProviders({children}: {children: ReactNode}) {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={useDirection()}>{children}</DirectionProvider>
    </CSPProvider>
  )
}
