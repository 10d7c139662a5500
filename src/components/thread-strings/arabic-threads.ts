import type { ThreadListStrings } from './thread-list-strings.ts'

/** The strings of `ThreadList` in Arabic. */
export const arabicThreads: ThreadListStrings = {
  lang: 'ar',
  label: 'المحادثات',
  search: 'البحث في المحادثات',
  none: 'لا توجد محادثات مطابقة',
  empty: 'لا توجد محادثات بعد',
  loading: 'جارٍ تحميل المحادثات',
  untitled: 'بلا عنوان',
  running: 'جارٍ الرد…',
  awaitingInput: 'في انتظارك',
  failed: 'فشلت',
  unread: 'جديد',
  create: 'محادثة جديدة',
  rename: (title) => `إعادة تسمية ${title}`,
  title: 'العنوان',
  remove: (title) => `حذف ${title}`,
  removed: (title) => `حُذفت ${title}`,
  undo: 'تراجع',
  dismiss: 'إغلاق',
  notSaved: {
    unavailable: 'يحظر متصفحك التخزين. ستفقد المحادثات عند إغلاق هذه الصفحة.',
    full: 'مساحة التخزين ممتلئة. ستفقد الرسائل الجديدة عند إغلاق هذه الصفحة.',
    newer: 'حُدّث هذا التطبيق في علامة تبويب أخرى. أعد تحميل الصفحة لمتابعة حفظ المحادثات.',
    failed: 'تعذّر حفظ المحادثات على هذا الجهاز. ستفقد الرسائل الجديدة عند إغلاق هذه الصفحة.',
    'signed-out': 'سجّلت الخروج. لا تُحفظ المحادثات.',
  },
}
