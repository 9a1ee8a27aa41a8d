import {createElement, type SVGProps} from 'react'

type Shape = readonly [tag: string, attributes: Record<string, string>]
type IconProps = SVGProps<SVGSVGElement> & {size?: number}

/** What the build puts in the place of lucide's `createLucideIcon` (vite.config.ts): the same picture of the same data. */
export default function createLucideIcon({node}: {node: readonly Shape[]}) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return function LucideIcon({size = 24, ...rest}: IconProps) {
    const drawing = {
      xmlns: 'http://www.w3.org/2000/svg',
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
    } as const
    return createElement('svg', {...drawing, ...rest}, ...shapes)
  }
}
