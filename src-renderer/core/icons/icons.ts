// Written by resources/build/refresh-icons.ts from @tabler/icons-react 3.51.0 (LICENSE beside this file).
import { filled, outline } from './draw-icon.ts';

export const IconActivity = outline([['path', { d: 'M3 12h4l3 8l4 -16l3 8h4' }]]);
export const IconActivityHeartbeat = outline([['path', { d: 'M3 12h4.5l1.5 -6l4 12l2 -9l1.5 3h4.5' }]]);
export const IconAdjustmentsHorizontal = outline([
  ['path', { d: 'M12 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0' }],
  ['path', { d: 'M4 6l8 0' }],
  ['path', { d: 'M16 6l4 0' }],
  ['path', { d: 'M6 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0' }],
  ['path', { d: 'M4 12l2 0' }],
  ['path', { d: 'M10 12l10 0' }],
  ['path', { d: 'M15 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0' }],
  ['path', { d: 'M4 18l11 0' }],
  ['path', { d: 'M19 18l1 0' }],
]);
export const IconAffiliate = outline([
  ['path', { d: 'M5.931 6.936l1.275 4.249m5.607 5.609l4.251 1.275' }],
  ['path', { d: 'M11.683 12.317l5.759 -5.759' }],
  ['path', { d: 'M4 5.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0' }],
  ['path', { d: 'M17 5.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0' }],
  ['path', { d: 'M17 18.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0' }],
  ['path', { d: 'M4 15.5a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0' }],
]);
export const IconAlertOctagon = outline([
  [
    'path',
    {
      d: 'M3 9.101v5.798c0 .53 .211 1.039 .586 1.415l4.1 4.1c.375 .375 .884 .586 1.415 .586h5.799c.53 0 1.039 -.211 1.414 -.586l4.1 -4.1c.375 -.375 .586 -.884 .586 -1.415v-5.798c0 -.53 -.211 -1.039 -.586 -1.415l-4.1 -4.1c-.375 -.375 -.884 -.586 -1.414 -.586l-5.799 0c-.53 0 -1.039 .211 -1.415 .586l-4.1 4.1c-.375 .375 -.586 .884 -.586 1.415',
    },
  ],
  ['path', { d: 'M12 8v4' }],
  ['path', { d: 'M12 16h.01' }],
]);
export const IconAlertTriangle = outline([
  ['path', { d: 'M12 9v4' }],
  [
    'path',
    {
      d: 'M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636 -2.87l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0',
    },
  ],
  ['path', { d: 'M12 16h.01' }],
]);
export const IconArrowDown = outline([
  ['path', { d: 'M12 5l0 14' }],
  ['path', { d: 'M18 13l-6 6' }],
  ['path', { d: 'M6 13l6 6' }],
]);
export const IconArrowLeft = outline([
  ['path', { d: 'M5 12l14 0' }],
  ['path', { d: 'M5 12l6 6' }],
  ['path', { d: 'M5 12l6 -6' }],
]);
export const IconArrowNarrowRight = outline([
  ['path', { d: 'M5 12l14 0' }],
  ['path', { d: 'M15 16l4 -4' }],
  ['path', { d: 'M15 8l4 4' }],
]);
export const IconArrowRight = outline([
  ['path', { d: 'M5 12l14 0' }],
  ['path', { d: 'M13 18l6 -6' }],
  ['path', { d: 'M13 6l6 6' }],
]);
export const IconArrowUp = outline([
  ['path', { d: 'M12 5l0 14' }],
  ['path', { d: 'M18 11l-6 -6' }],
  ['path', { d: 'M6 11l6 -6' }],
]);
export const IconBookmark = outline([
  ['path', { d: 'M18 7v14l-6 -4l-6 4v-14a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4' }],
]);
export const IconBox = outline([
  ['path', { d: 'M12 3l8 4.5l0 9l-8 4.5l-8 -4.5l0 -9l8 -4.5' }],
  ['path', { d: 'M12 12l8 -4.5' }],
  ['path', { d: 'M12 12l0 9' }],
  ['path', { d: 'M12 12l-8 -4.5' }],
]);
export const IconBraces = outline([
  ['path', { d: 'M7 4a2 2 0 0 0 -2 2v3a2 3 0 0 1 -2 3a2 3 0 0 1 2 3v3a2 2 0 0 0 2 2' }],
  ['path', { d: 'M17 4a2 2 0 0 1 2 2v3a2 3 0 0 0 2 3a2 3 0 0 0 -2 3v3a2 2 0 0 1 -2 2' }],
]);
export const IconCalendar = outline([
  ['path', { d: 'M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12' }],
  ['path', { d: 'M16 3v4' }],
  ['path', { d: 'M8 3v4' }],
  ['path', { d: 'M4 11h16' }],
]);
export const IconCalendarTime = outline([
  ['path', { d: 'M11.795 21h-6.795a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v4' }],
  ['path', { d: 'M14 18a4 4 0 1 0 8 0a4 4 0 1 0 -8 0' }],
  ['path', { d: 'M15 3v4' }],
  ['path', { d: 'M7 3v4' }],
  ['path', { d: 'M3 11h16' }],
  ['path', { d: 'M18 16.496v1.504l1 1' }],
]);
export const IconCards = outline([
  [
    'path',
    {
      d: 'M3.604 7.197l7.138 -3.109a.96 .96 0 0 1 1.27 .527l4.924 11.902a1 1 0 0 1 -.514 1.304l-7.137 3.109a.96 .96 0 0 1 -1.271 -.527l-4.924 -11.903a1 1 0 0 1 .514 -1.304l0 .001',
    },
  ],
  ['path', { d: 'M15 4h1a1 1 0 0 1 1 1v3.5' }],
  ['path', { d: 'M20 6c.264 .112 .52 .217 .768 .315a1 1 0 0 1 .53 1.311l-2.298 5.374' }],
]);
export const IconCertificate = outline([
  ['path', { d: 'M12 15a3 3 0 1 0 6 0a3 3 0 1 0 -6 0' }],
  ['path', { d: 'M13 17.5v4.5l2 -1.5l2 1.5v-4.5' }],
  ['path', { d: 'M10 19h-5a2 2 0 0 1 -2 -2v-10c0 -1.1 .9 -2 2 -2h14a2 2 0 0 1 2 2v10a2 2 0 0 1 -1 1.73' }],
  ['path', { d: 'M6 9l12 0' }],
  ['path', { d: 'M6 12l3 0' }],
  ['path', { d: 'M6 15l2 0' }],
]);
export const IconChartBar = outline([
  ['path', { d: 'M3 13a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -6' }],
  ['path', { d: 'M15 9a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -10' }],
  ['path', { d: 'M9 5a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -14' }],
  ['path', { d: 'M4 20h14' }],
]);
export const IconCheck = outline([['path', { d: 'M5 12l5 5l10 -10' }]]);
export const IconChecklist = outline([
  ['path', { d: 'M9.615 20h-2.615a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v8' }],
  ['path', { d: 'M14 19l2 2l4 -4' }],
  ['path', { d: 'M9 8h4' }],
  ['path', { d: 'M9 12h2' }],
]);
export const IconChevronDown = outline([['path', { d: 'M6 9l6 6l6 -6' }]]);
export const IconChevronRight = outline([['path', { d: 'M9 6l6 6l-6 6' }]]);
export const IconClipboardCheck = outline([
  ['path', { d: 'M9 5h-2a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-12a2 2 0 0 0 -2 -2h-2' }],
  ['path', { d: 'M9 5a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2' }],
  ['path', { d: 'M9 14l2 2l4 -4' }],
]);
export const IconClipboardText = outline([
  ['path', { d: 'M9 5h-2a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-12a2 2 0 0 0 -2 -2h-2' }],
  ['path', { d: 'M9 5a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2' }],
  ['path', { d: 'M9 12h6' }],
  ['path', { d: 'M9 16h6' }],
]);
export const IconClock = outline([
  ['path', { d: 'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0' }],
  ['path', { d: 'M12 7v5l3 3' }],
]);
export const IconCode = outline([
  ['path', { d: 'M7 8l-4 4l4 4' }],
  ['path', { d: 'M17 8l4 4l-4 4' }],
  ['path', { d: 'M14 4l-4 16' }],
]);
export const IconCoin = outline([
  ['path', { d: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0' }],
  ['path', { d: 'M14.8 9a2 2 0 0 0 -1.8 -1h-2a2 2 0 1 0 0 4h2a2 2 0 1 1 0 4h-2a2 2 0 0 1 -1.8 -1' }],
  ['path', { d: 'M12 7v10' }],
]);
export const IconColumns3 = outline([
  ['path', { d: 'M3 4a1 1 0 0 1 1 -1h16a1 1 0 0 1 1 1v16a1 1 0 0 1 -1 1h-16a1 1 0 0 1 -1 -1v-16' }],
  ['path', { d: 'M9 3v18' }],
  ['path', { d: 'M15 3v18' }],
]);
export const IconCopy = outline([
  [
    'path',
    {
      d: 'M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 -2.667l0 -8.666',
    },
  ],
  [
    'path',
    { d: 'M4.012 16.737a2.005 2.005 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 1.158 .385 1.5 1' },
  ],
]);
export const IconCpu = outline([
  ['path', { d: 'M5 6a1 1 0 0 1 1 -1h12a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-12a1 1 0 0 1 -1 -1l0 -12' }],
  ['path', { d: 'M9 9h6v6h-6l0 -6' }],
  ['path', { d: 'M3 10h2' }],
  ['path', { d: 'M3 14h2' }],
  ['path', { d: 'M10 3v2' }],
  ['path', { d: 'M14 3v2' }],
  ['path', { d: 'M21 10h-2' }],
  ['path', { d: 'M21 14h-2' }],
  ['path', { d: 'M14 21v-2' }],
  ['path', { d: 'M10 21v-2' }],
]);
export const IconCreditCard = outline([
  ['path', { d: 'M3 8a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v8a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3l0 -8' }],
  ['path', { d: 'M3 10l18 0' }],
  ['path', { d: 'M7 15l.01 0' }],
  ['path', { d: 'M11 15l2 0' }],
]);
export const IconDatabase = outline([
  ['path', { d: 'M4 6a8 3 0 1 0 16 0a8 3 0 1 0 -16 0' }],
  ['path', { d: 'M4 6v6a8 3 0 0 0 16 0v-6' }],
  ['path', { d: 'M4 12v6a8 3 0 0 0 16 0v-6' }],
]);
export const IconDeviceDesktop = outline([
  ['path', { d: 'M3 5a1 1 0 0 1 1 -1h16a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-16a1 1 0 0 1 -1 -1v-10' }],
  ['path', { d: 'M7 20h10' }],
  ['path', { d: 'M9 16v4' }],
  ['path', { d: 'M15 16v4' }],
]);
export const IconDownload = outline([
  ['path', { d: 'M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2' }],
  ['path', { d: 'M7 11l5 5l5 -5' }],
  ['path', { d: 'M12 4l0 12' }],
]);
export const IconExternalLink = outline([
  ['path', { d: 'M12 6h-6a2 2 0 0 0 -2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-6' }],
  ['path', { d: 'M11 13l9 -9' }],
  ['path', { d: 'M15 4h5v5' }],
]);
export const IconFileText = outline([
  ['path', { d: 'M14 3v4a1 1 0 0 0 1 1h4' }],
  ['path', { d: 'M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2' }],
  ['path', { d: 'M9 9l1 0' }],
  ['path', { d: 'M9 13l6 0' }],
  ['path', { d: 'M9 17l6 0' }],
]);
export const IconFlask = outline([
  ['path', { d: 'M9 3l6 0' }],
  ['path', { d: 'M10 9l4 0' }],
  ['path', { d: 'M10 3v6l-4 11a.7 .7 0 0 0 .5 1h11a.7 .7 0 0 0 .5 -1l-4 -11v-6' }],
]);
export const IconFold = outline([
  ['path', { d: 'M12 3v6l3 -3m-6 0l3 3' }],
  ['path', { d: 'M12 21v-6l3 3m-6 0l3 -3' }],
  ['path', { d: 'M4 12l1 0' }],
  ['path', { d: 'M9 12l1 0' }],
  ['path', { d: 'M14 12l1 0' }],
  ['path', { d: 'M19 12l1 0' }],
]);
export const IconGavel = outline([
  ['path', { d: 'M13 10l7.383 7.418c.823 .82 .823 2.148 0 2.967a2.11 2.11 0 0 1 -2.976 0l-7.407 -7.385' }],
  ['path', { d: 'M6 9l4 4' }],
  ['path', { d: 'M13 10l-4 -4' }],
  ['path', { d: 'M3 21h7' }],
  [
    'path',
    {
      d: 'M6.793 15.793l-3.586 -3.586a1 1 0 0 1 0 -1.414l2.293 -2.293l.5 .5l3 -3l-.5 -.5l2.293 -2.293a1 1 0 0 1 1.414 0l3.586 3.586a1 1 0 0 1 0 1.414l-2.293 2.293l-.5 -.5l-3 3l.5 .5l-2.293 2.293a1 1 0 0 1 -1.414 0',
    },
  ],
]);
export const IconGitCommit = outline([
  ['path', { d: 'M9 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0' }],
  ['path', { d: 'M12 3l0 6' }],
  ['path', { d: 'M12 15l0 6' }],
]);
export const IconGitMerge = outline([
  ['path', { d: 'M5 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0' }],
  ['path', { d: 'M5 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0' }],
  ['path', { d: 'M15 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0' }],
  ['path', { d: 'M7 8l0 8' }],
  ['path', { d: 'M7 8a4 4 0 0 0 4 4h4' }],
]);
export const IconHierarchy2 = outline([
  ['path', { d: 'M10 3h4v4h-4l0 -4' }],
  ['path', { d: 'M3 17h4v4h-4l0 -4' }],
  ['path', { d: 'M17 17h4v4h-4l0 -4' }],
  ['path', { d: 'M7 17l5 -4l5 4' }],
  ['path', { d: 'M12 7l0 6' }],
]);
export const IconHistory = outline([
  ['path', { d: 'M12 8l0 4l2 2' }],
  ['path', { d: 'M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5' }],
]);
export const IconInfoCircle = outline([
  ['path', { d: 'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0' }],
  ['path', { d: 'M12 9h.01' }],
  ['path', { d: 'M11 12h1v4h1' }],
]);
export const IconKey = outline([
  [
    'path',
    {
      d: 'M16.555 3.843l3.602 3.602a2.877 2.877 0 0 1 0 4.069l-2.643 2.643a2.877 2.877 0 0 1 -4.069 0l-.301 -.301l-6.558 6.558a2 2 0 0 1 -1.239 .578l-.175 .008h-1.172a1 1 0 0 1 -.993 -.883l-.007 -.117v-1.172a2 2 0 0 1 .467 -1.284l.119 -.13l.414 -.414h2v-2h2v-2l2.144 -2.144l-.301 -.301a2.877 2.877 0 0 1 0 -4.069l2.643 -2.643a2.877 2.877 0 0 1 4.069 0',
    },
  ],
  ['path', { d: 'M15 9h.01' }],
]);
export const IconKeyboard = outline([
  ['path', { d: 'M2 8a2 2 0 0 1 2 -2h16a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2l0 -8' }],
  ['path', { d: 'M6 10l0 .01' }],
  ['path', { d: 'M10 10l0 .01' }],
  ['path', { d: 'M14 10l0 .01' }],
  ['path', { d: 'M18 10l0 .01' }],
  ['path', { d: 'M6 14l0 .01' }],
  ['path', { d: 'M18 14l0 .01' }],
  ['path', { d: 'M10 14l4 .01' }],
]);
export const IconLayoutDashboard = outline([
  ['path', { d: 'M5 4h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1' }],
  ['path', { d: 'M5 16h4a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1' }],
  ['path', { d: 'M15 12h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1' }],
  ['path', { d: 'M15 4h4a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1' }],
]);
export const IconLayoutSidebar = outline([
  ['path', { d: 'M4 6a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2l0 -12' }],
  ['path', { d: 'M9 4l0 16' }],
]);
export const IconLetterCase = outline([
  ['path', { d: 'M14 15.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0' }],
  ['path', { d: 'M3 19v-10.5a3.5 3.5 0 0 1 7 0v10.5' }],
  ['path', { d: 'M3 13h7' }],
  ['path', { d: 'M21 12v7' }],
]);
export const IconLink = outline([
  ['path', { d: 'M9 15l6 -6' }],
  ['path', { d: 'M11 6l.463 -.536a5 5 0 0 1 7.071 7.072l-.534 .464' }],
  ['path', { d: 'M13 18l-.397 .534a5.068 5.068 0 0 1 -7.127 0a4.972 4.972 0 0 1 0 -7.071l.524 -.463' }],
]);
export const IconListCheck = outline([
  ['path', { d: 'M3.5 5.5l1.5 1.5l2.5 -2.5' }],
  ['path', { d: 'M3.5 11.5l1.5 1.5l2.5 -2.5' }],
  ['path', { d: 'M3.5 17.5l1.5 1.5l2.5 -2.5' }],
  ['path', { d: 'M11 6l9 0' }],
  ['path', { d: 'M11 12l9 0' }],
  ['path', { d: 'M11 18l9 0' }],
]);
export const IconListSearch = outline([
  ['path', { d: 'M11 15a4 4 0 1 0 8 0a4 4 0 1 0 -8 0' }],
  ['path', { d: 'M18.5 18.5l2.5 2.5' }],
  ['path', { d: 'M4 6h16' }],
  ['path', { d: 'M4 12h4' }],
  ['path', { d: 'M4 18h4' }],
]);
export const IconLock = outline([
  ['path', { d: 'M5 13a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-6' }],
  ['path', { d: 'M11 16a1 1 0 1 0 2 0a1 1 0 0 0 -2 0' }],
  ['path', { d: 'M8 11v-4a4 4 0 1 1 8 0v4' }],
]);
export const IconLogout = outline([
  ['path', { d: 'M14 8v-2a2 2 0 0 0 -2 -2h-7a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h7a2 2 0 0 0 2 -2v-2' }],
  ['path', { d: 'M9 12h12l-3 -3' }],
  ['path', { d: 'M18 15l3 -3' }],
]);
export const IconMarkdown = outline([
  ['path', { d: 'M3 7a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-10' }],
  ['path', { d: 'M7 15v-6l2 2l2 -2v6' }],
  ['path', { d: 'M14 13l2 2l2 -2m-2 2v-6' }],
]);
export const IconMessage = outline([
  ['path', { d: 'M8 9h8' }],
  ['path', { d: 'M8 13h6' }],
  ['path', { d: 'M18 4a3 3 0 0 1 3 3v8a3 3 0 0 1 -3 3h-5l-5 3v-3h-2a3 3 0 0 1 -3 -3v-8a3 3 0 0 1 3 -3h12' }],
]);
export const IconMicrophone = outline([
  ['path', { d: 'M9 5a3 3 0 0 1 3 -3a3 3 0 0 1 3 3v5a3 3 0 0 1 -3 3a3 3 0 0 1 -3 -3l0 -5' }],
  ['path', { d: 'M5 10a7 7 0 0 0 14 0' }],
  ['path', { d: 'M8 21l8 0' }],
  ['path', { d: 'M12 17l0 4' }],
]);
export const IconMinus = outline([['path', { d: 'M5 12l14 0' }]]);
export const IconMoon = outline([
  ['path', { d: 'M12 3c.132 0 .263 0 .393 0a7.5 7.5 0 0 0 7.92 12.446a9 9 0 1 1 -8.313 -12.454l0 .008' }],
]);
export const IconNote = outline([
  ['path', { d: 'M13 20l7 -7' }],
  ['path', { d: 'M13 20v-6a1 1 0 0 1 1 -1h6v-7a2 2 0 0 0 -2 -2h-12a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h7' }],
]);
export const IconPackage = outline([
  ['path', { d: 'M12 3l8 4.5l0 9l-8 4.5l-8 -4.5l0 -9l8 -4.5' }],
  ['path', { d: 'M12 12l8 -4.5' }],
  ['path', { d: 'M12 12l0 9' }],
  ['path', { d: 'M12 12l-8 -4.5' }],
  ['path', { d: 'M16 5.25l-8 4.5' }],
]);
export const IconPencil = outline([
  ['path', { d: 'M4 20h4l10.5 -10.5a2.828 2.828 0 1 0 -4 -4l-10.5 10.5v4' }],
  ['path', { d: 'M13.5 6.5l4 4' }],
]);
export const IconPin = outline([
  ['path', { d: 'M15 4.5l-4 4l-4 1.5l-1.5 1.5l7 7l1.5 -1.5l1.5 -4l4 -4' }],
  ['path', { d: 'M9 15l-4.5 4.5' }],
  ['path', { d: 'M14.5 4l5.5 5.5' }],
]);
export const IconPinFilled = filled([
  [
    'path',
    {
      d: 'M15.113 3.21l.094 .083l5.5 5.5a1 1 0 0 1 -1.175 1.59l-3.172 3.171l-1.424 3.797a1 1 0 0 1 -.158 .277l-.07 .08l-1.5 1.5a1 1 0 0 1 -1.32 .082l-.095 -.083l-2.793 -2.792l-3.793 3.792a1 1 0 0 1 -1.497 -1.32l.083 -.094l3.792 -3.793l-2.792 -2.793a1 1 0 0 1 -.083 -1.32l.083 -.094l1.5 -1.5a1 1 0 0 1 .258 -.187l.098 -.042l3.796 -1.425l3.171 -3.17a1 1 0 0 1 1.497 -1.26z',
    },
  ],
]);
export const IconPlayerPause = outline([
  ['path', { d: 'M6 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -12' }],
  ['path', { d: 'M14 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -12' }],
]);
export const IconPlayerPauseFilled = filled([
  ['path', { d: 'M9 4h-2a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h2a2 2 0 0 0 2 -2v-12a2 2 0 0 0 -2 -2z' }],
  ['path', { d: 'M17 4h-2a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h2a2 2 0 0 0 2 -2v-12a2 2 0 0 0 -2 -2z' }],
]);
export const IconPlayerPlay = outline([['path', { d: 'M7 4v16l13 -8l-13 -8' }]]);
export const IconPlayerStop = outline([
  ['path', { d: 'M5 7a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2l0 -10' }],
]);
export const IconPlugConnected = outline([
  ['path', { d: 'M7 12l5 5l-1.5 1.5a3.536 3.536 0 1 1 -5 -5l1.5 -1.5' }],
  ['path', { d: 'M17 12l-5 -5l1.5 -1.5a3.536 3.536 0 1 1 5 5l-1.5 1.5' }],
  ['path', { d: 'M3 21l2.5 -2.5' }],
  ['path', { d: 'M18.5 5.5l2.5 -2.5' }],
  ['path', { d: 'M10 11l-2 2' }],
  ['path', { d: 'M13 14l-2 2' }],
]);
export const IconPlus = outline([
  ['path', { d: 'M12 5l0 14' }],
  ['path', { d: 'M5 12l14 0' }],
]);
export const IconRefresh = outline([
  ['path', { d: 'M20 11a8.1 8.1 0 0 0 -15.5 -2m-.5 -4v4h4' }],
  ['path', { d: 'M4 13a8.1 8.1 0 0 0 15.5 2m.5 4v-4h-4' }],
]);
export const IconRegex = outline([
  ['path', { d: 'M6.5 15a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0 -5' }],
  ['path', { d: 'M17 7.875l3 -1.687' }],
  ['path', { d: 'M17 7.875v3.375' }],
  ['path', { d: 'M17 7.875l-3 -1.687' }],
  ['path', { d: 'M17 7.875l3 1.688' }],
  ['path', { d: 'M17 4.5v3.375' }],
  ['path', { d: 'M17 7.875l-3 1.688' }],
]);
export const IconReload = outline([
  ['path', { d: 'M19.933 13.041a8 8 0 1 1 -9.925 -8.788c3.899 -1 7.935 1.007 9.425 4.747' }],
  ['path', { d: 'M20 4v5h-5' }],
]);
export const IconRobot = outline([
  ['path', { d: 'M6 6a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2l0 -4' }],
  ['path', { d: 'M12 2v2' }],
  ['path', { d: 'M9 12v9' }],
  ['path', { d: 'M15 12v9' }],
  ['path', { d: 'M5 16l4 -2' }],
  ['path', { d: 'M15 14l4 2' }],
  ['path', { d: 'M9 18h6' }],
  ['path', { d: 'M10 8v.01' }],
  ['path', { d: 'M14 8v.01' }],
]);
export const IconRoute = outline([
  ['path', { d: 'M3 19a2 2 0 1 0 4 0a2 2 0 0 0 -4 0' }],
  ['path', { d: 'M19 7a2 2 0 1 0 0 -4a2 2 0 0 0 0 4' }],
  ['path', { d: 'M11 19h5.5a3.5 3.5 0 0 0 0 -7h-8a3.5 3.5 0 0 1 0 -7h4.5' }],
]);
export const IconRouter = outline([
  ['path', { d: 'M3 15a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2l0 -4' }],
  ['path', { d: 'M17 17l0 .01' }],
  ['path', { d: 'M13 17l0 .01' }],
  ['path', { d: 'M15 13l0 -2' }],
  ['path', { d: 'M11.75 8.75a4 4 0 0 1 6.5 0' }],
  ['path', { d: 'M8.5 6.5a8 8 0 0 1 13 0' }],
]);
export const IconRuler2 = outline([
  ['path', { d: 'M17 3l4 4l-14 14l-4 -4l14 -14' }],
  ['path', { d: 'M16 7l-1.5 -1.5' }],
  ['path', { d: 'M13 10l-1.5 -1.5' }],
  ['path', { d: 'M10 13l-1.5 -1.5' }],
  ['path', { d: 'M7 16l-1.5 -1.5' }],
]);
export const IconScale = outline([
  ['path', { d: 'M7 20l10 0' }],
  ['path', { d: 'M6 6l6 -1l6 1' }],
  ['path', { d: 'M12 3l0 17' }],
  ['path', { d: 'M9 12l-3 -6l-3 6a3 3 0 0 0 6 0' }],
  ['path', { d: 'M21 12l-3 -6l-3 6a3 3 0 0 0 6 0' }],
]);
export const IconSearch = outline([
  ['path', { d: 'M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0' }],
  ['path', { d: 'M21 21l-6 -6' }],
]);
export const IconSelector = outline([
  ['path', { d: 'M8 9l4 -4l4 4' }],
  ['path', { d: 'M16 15l-4 4l-4 -4' }],
]);
export const IconServer2 = outline([
  ['path', { d: 'M3 7a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v2a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3v-2' }],
  ['path', { d: 'M3 15a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v2a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3l0 -2' }],
  ['path', { d: 'M7 8l0 .01' }],
  ['path', { d: 'M7 16l0 .01' }],
  ['path', { d: 'M11 8h6' }],
  ['path', { d: 'M11 16h6' }],
]);
export const IconShieldCheck = outline([
  [
    'path',
    {
      d: 'M11.46 20.846a12 12 0 0 1 -7.96 -14.846a12 12 0 0 0 8.5 -3a12 12 0 0 0 8.5 3a12 12 0 0 1 -.09 7.06',
    },
  ],
  ['path', { d: 'M15 19l2 2l4 -4' }],
]);
export const IconShieldLock = outline([
  ['path', { d: 'M12 3a12 12 0 0 0 8.5 3a12 12 0 0 1 -8.5 15a12 12 0 0 1 -8.5 -15a12 12 0 0 0 8.5 -3' }],
  ['path', { d: 'M11 11a1 1 0 1 0 2 0a1 1 0 1 0 -2 0' }],
  ['path', { d: 'M12 12l0 2.5' }],
]);
export const IconShieldX = outline([
  [
    'path',
    {
      d: 'M13.252 20.601c-.408 .155 -.826 .288 -1.252 .399a12 12 0 0 1 -8.5 -15a12 12 0 0 0 8.5 -3a12 12 0 0 0 8.5 3a12 12 0 0 1 -.19 7.357',
    },
  ],
  ['path', { d: 'M22 22l-5 -5' }],
  ['path', { d: 'M17 22l5 -5' }],
]);
export const IconStack2 = outline([
  ['path', { d: 'M12 4l-8 4l8 4l8 -4l-8 -4' }],
  ['path', { d: 'M4 12l8 4l8 -4' }],
  ['path', { d: 'M4 16l8 4l8 -4' }],
]);
export const IconStairsUp = outline([
  ['path', { d: 'M22 6h-5v5h-5v5h-5v5h-5' }],
  ['path', { d: 'M6 10v-7' }],
  ['path', { d: 'M3 6l3 -3l3 3' }],
]);
export const IconStethoscope = outline([
  ['path', { d: 'M6 4h-1a2 2 0 0 0 -2 2v3.5a5.5 5.5 0 0 0 11 0v-3.5a2 2 0 0 0 -2 -2h-1' }],
  ['path', { d: 'M8 15a6 6 0 1 0 12 0v-3' }],
  ['path', { d: 'M11 3v2' }],
  ['path', { d: 'M6 3v2' }],
  ['path', { d: 'M18 10a2 2 0 1 0 4 0a2 2 0 1 0 -4 0' }],
]);
export const IconSun = outline([
  ['path', { d: 'M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0' }],
  [
    'path',
    { d: 'M3 12h1m8 -9v1m8 8h1m-9 8v1m-6.4 -15.4l.7 .7m12.1 -.7l-.7 .7m0 11.4l.7 .7m-12.1 -.7l-.7 .7' },
  ],
]);
export const IconTable = outline([
  ['path', { d: 'M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14' }],
  ['path', { d: 'M3 10h18' }],
  ['path', { d: 'M10 3v18' }],
]);
export const IconTemplate = outline([
  ['path', { d: 'M4 5a1 1 0 0 1 1 -1h14a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-14a1 1 0 0 1 -1 -1l0 -2' }],
  ['path', { d: 'M4 13a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -6' }],
  ['path', { d: 'M14 12l6 0' }],
  ['path', { d: 'M14 16l6 0' }],
  ['path', { d: 'M14 20l6 0' }],
]);
export const IconTextWrap = outline([
  ['path', { d: 'M4 6l16 0' }],
  ['path', { d: 'M4 18l5 0' }],
  ['path', { d: 'M4 12h13a3 3 0 0 1 0 6h-4l2 -2m0 4l-2 -2' }],
]);
export const IconTool = outline([
  ['path', { d: 'M7 10h3v-3l-3.5 -3.5a6 6 0 0 1 8 8l6 6a2 2 0 0 1 -3 3l-6 -6a6 6 0 0 1 -8 -8l3.5 3.5' }],
]);
export const IconTopologyStar3 = outline([
  ['path', { d: 'M10 19a2 2 0 1 0 -4 0a2 2 0 0 0 4 0' }],
  ['path', { d: 'M18 5a2 2 0 1 0 -4 0a2 2 0 0 0 4 0' }],
  ['path', { d: 'M10 5a2 2 0 1 0 -4 0a2 2 0 0 0 4 0' }],
  ['path', { d: 'M6 12a2 2 0 1 0 -4 0a2 2 0 0 0 4 0' }],
  ['path', { d: 'M18 19a2 2 0 1 0 -4 0a2 2 0 0 0 4 0' }],
  ['path', { d: 'M14 12a2 2 0 1 0 -4 0a2 2 0 0 0 4 0' }],
  ['path', { d: 'M22 12a2 2 0 1 0 -4 0a2 2 0 0 0 4 0' }],
  ['path', { d: 'M6 12h4' }],
  ['path', { d: 'M14 12h4' }],
  ['path', { d: 'M15 7l-2 3' }],
  ['path', { d: 'M9 7l2 3' }],
  ['path', { d: 'M11 14l-2 3' }],
  ['path', { d: 'M13 14l2 3' }],
]);
export const IconTrash = outline([
  ['path', { d: 'M4 7l16 0' }],
  ['path', { d: 'M10 11l0 6' }],
  ['path', { d: 'M14 11l0 6' }],
  ['path', { d: 'M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2 -2l1 -12' }],
  ['path', { d: 'M9 7v-3a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v3' }],
]);
export const IconUser = outline([
  ['path', { d: 'M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0' }],
  ['path', { d: 'M6 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2' }],
]);
export const IconUsersGroup = outline([
  ['path', { d: 'M10 13a2 2 0 1 0 4 0a2 2 0 0 0 -4 0' }],
  ['path', { d: 'M8 21v-1a2 2 0 0 1 2 -2h4a2 2 0 0 1 2 2v1' }],
  ['path', { d: 'M15 5a2 2 0 1 0 4 0a2 2 0 0 0 -4 0' }],
  ['path', { d: 'M17 10h2a2 2 0 0 1 2 2v1' }],
  ['path', { d: 'M5 5a2 2 0 1 0 4 0a2 2 0 0 0 -4 0' }],
  ['path', { d: 'M3 13v-1a2 2 0 0 1 2 -2h2' }],
]);
export const IconX = outline([
  ['path', { d: 'M18 6l-12 12' }],
  ['path', { d: 'M6 6l12 12' }],
]);
