import {Component, type ErrorInfo, type ReactNode} from 'react'
import {Crash} from './crash.tsx'

type ZoneBoundaryProps = {
  /** Name of the zone in the log: `panel`, `screen`, `overlays`. */
  zone: string
  /** A changed value (a new address) makes the zone retry. */
  resetKey?: string
  /** The zone is above all pages. */
  floating?: boolean
  /** The card of a floating zone can be sent away, and with it all that the zone was to show. */
  onDismiss?: () => void
  children: ReactNode
}
type ZoneState = {error: unknown; failedKey: string | undefined}

/** Keeps a crash inside its zone: a broken screen leaves navigation and panel working (screens.md §15). */
export class ZoneBoundary extends Component<ZoneBoundaryProps, ZoneState> {
  override state: ZoneState = {error: undefined, failedKey: undefined}

  static getDerivedStateFromError(error: unknown): Partial<ZoneState> {
    return {error: error ?? new Error('Nothing was thrown')}
  }

  static getDerivedStateFromProps({resetKey}: ZoneBoundaryProps, state: ZoneState): Partial<ZoneState> | null {
    if (state.error === undefined || state.failedKey === resetKey) return {failedKey: resetKey}
    return {error: undefined, failedKey: resetKey}
  }

  override componentDidCatch(error: unknown, {componentStack}: ErrorInfo) {
    console.error(`The ${this.props.zone} stopped working:`, error, componentStack)
  }

  override render() {
    const {error} = this.state
    const {floating, onDismiss, children} = this.props
    if (error === undefined) return children
    return <Crash {...{error, floating, onDismiss}} onReload={() => this.setState({error: undefined})} />
  }
}
