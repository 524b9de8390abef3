declare module 'virtual:texts-of-screens/*' {
  import type { Messages } from '@lingui/core'

  const messages: Messages

  export { messages as default }
}
