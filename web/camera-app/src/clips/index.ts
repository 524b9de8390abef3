/** What the page of a camera takes from here, on demand. */
export { DownloadClip } from './DownloadClip.tsx'
