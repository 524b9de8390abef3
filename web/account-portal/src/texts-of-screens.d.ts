declare module 'virtual:texts-of-screens/*' {
  import type { Messages } from '@lingui/core'

  const messages: Messages
  // biome-ignore lint/style/noDefaultExport: it has the form of an imported JSON file, as the other catalogues
  export default messages
}
