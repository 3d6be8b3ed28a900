exports.generate = (text, options, tell) => tell(`[${text}]\n[${text}]`);
