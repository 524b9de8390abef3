export {
  AppShell,
  type AppShellProps,
  AppSwitcher,
  Logo,
  type NavItem,
  ScreenTitle,
  type ShellApp,
  type ShellBrand,
  type ShellLink,
} from './AppShell.tsx'
export { Button, type ButtonVariant, buttonClass, IconButton } from './Button.tsx'
export { Card, FormCard } from './Card.tsx'
export { CookieBanner } from './CookieBanner.tsx'
export { ConfirmDialog, Dialog } from './Dialog.tsx'
export { Field, inputClass, TextField } from './Field.tsx'
export type { FormValues, Rules } from './form.ts'
export { Icon, type IconName } from './Icon.tsx'
export { type KitText, KitTextProvider, kitTexts, laterKitTexts, type TranslateKit } from './kit-text.tsx'
export { Menu, type MenuItem } from './Menu.tsx'
export { Badge, EmptyState, type Mood, Notice, ProgressBar, Skeleton, SkeletonGroup, Tooltip } from './marks.tsx'
export { type Option, searchOptions } from './option-search.ts'
export { PasswordField } from './PasswordField.tsx'
export { CardPlace, ScreenPlace, ShellPlace } from './places.tsx'
export { SearchSelect } from './SearchSelect.tsx'
export { Select } from './Select.tsx'
export { SnackBars } from './SnackBars.tsx'
export { Switch } from './Switch.tsx'
export { createSnackBar, type Snack, type SnackBar } from './snack-bar.ts'
export { hasUnsavedChanges, useUnsavedChanges } from './unsaved-changes.ts'
export { type Form, useForm } from './use-form.ts'
