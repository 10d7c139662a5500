import type { ThreadListStrings } from './thread-list-strings.ts'

/** The strings of `ThreadList` in German. */
export const germanThreads: ThreadListStrings = {
  label: 'Unterhaltungen',
  search: 'Unterhaltungen durchsuchen',
  none: 'Keine passenden Unterhaltungen',
  empty: 'Noch keine Unterhaltungen',
  loading: 'Unterhaltungen werden geladen',
  untitled: 'Ohne Titel',
  running: 'Antwortet…',
  awaitingInput: 'Wartet auf dich',
  failed: 'Fehlgeschlagen',
  unread: 'Neu',
  create: 'Neue Unterhaltung',
  rename: (title) => `${title} umbenennen`,
  title: 'Titel',
  remove: (title) => `${title} löschen`,
  removed: (title) => `${title} gelöscht`,
  undo: 'Rückgängig',
  dismiss: 'Schließen',
  notSaved: {
    unavailable: 'Dein Browser blockiert den Speicher. Unterhaltungen gehen verloren, wenn du diese Seite schließt.',
    full: 'Der Speicher ist voll. Neue Nachrichten gehen verloren, wenn du diese Seite schließt.',
    newer:
      'Diese App wurde in einem anderen Tab aktualisiert. Lade die Seite neu, damit Unterhaltungen weiter gespeichert werden.',
    failed:
      'Unterhaltungen können auf diesem Gerät nicht gespeichert werden. Neue Nachrichten gehen verloren, wenn du diese Seite schließt.',
    'signed-out': 'Du bist abgemeldet. Unterhaltungen werden nicht gespeichert.',
  },
}

/** The strings of `ThreadList` in Arabic. */
export const arabicThreads: ThreadListStrings = {
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

/** The strings of `ThreadList` in Chinese. */
export const chineseThreads: ThreadListStrings = {
  label: '对话',
  search: '搜索对话',
  none: '没有匹配的对话',
  empty: '还没有对话',
  loading: '正在加载对话',
  untitled: '无标题',
  running: '正在回复…',
  awaitingInput: '正在等待你',
  failed: '失败',
  unread: '新',
  create: '新对话',
  rename: (title) => `重命名 ${title}`,
  title: '标题',
  remove: (title) => `删除 ${title}`,
  removed: (title) => `已删除 ${title}`,
  undo: '撤销',
  dismiss: '关闭',
  notSaved: {
    unavailable: '你的浏览器阻止了存储。关闭此页面后，对话将会丢失。',
    full: '存储空间已满。关闭此页面后，新消息将会丢失。',
    newer: '此应用已在另一个标签页中更新。请重新加载以继续保存对话。',
    failed: '无法在此设备上保存对话。关闭此页面后，新消息将会丢失。',
    'signed-out': '你已退出登录。对话不会被保存。',
  },
}
