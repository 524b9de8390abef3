import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'

const variants: Record<ButtonVariant, string> = {
  primary:
    'border border-primary-edge bg-primary text-on-primary enabled:hover:bg-primary-hover disabled:border-border disabled:bg-sunken disabled:text-muted',
  secondary: 'border border-outline bg-surface text-text hover:bg-sunken disabled:border-border disabled:text-muted',
  quiet: 'text-link hover:bg-sunken disabled:text-muted',
  danger:
    'border border-danger bg-danger text-on-danger enabled:hover:brightness-90 disabled:border-border disabled:bg-sunken disabled:text-muted',
}

/** The style of a button, also for links. */
export const buttonClass = (variant: ButtonVariant = 'primary'): string =>
  `control inline-flex items-center justify-center gap-2 px-4 font-medium whitespace-nowrap transition-colors select-none ${variants[variant]}`

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  /** Work is in progress: the button says so, keeps its width and ignores clicks. */
  busy?: boolean
  icon?: IconName
}

export function Button({ variant = 'primary', busy = false, icon, className = '', children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass(variant)} relative overflow-hidden ${className}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon === undefined ? null : <Icon name={icon} size={18} />}
      {children}
      {busy ? <span className="absolute bottom-0 h-0.5 w-1/3 animate-slide bg-current" /> : null}
    </button>
  )
}

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName
  /** The accessible name and tooltip. */
  label: string
  children?: ReactNode
}

/** A square button with only an icon. */
export function IconButton({ icon, label, className = '', children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={`inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-text disabled:opacity-50 pointer-coarse:size-11 ${className}`}
    >
      <Icon name={icon} />
      {children}
    </button>
  )
}
